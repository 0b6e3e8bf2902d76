// On a quiet breakfast table a little sailing boat fights a storm inside a cup of coffee.
#include "common.inc"
#include "functions.inc"

#declare T = clock;
#declare Storm = (Shot = 0 ? 0.25 + 0.35 * T : 0.6 + 0.4 * sin(pi * min(1, T * 1.2)));
#declare Flash = (Shot = 1 & ((T > 0.30 & T < 0.36) | (T > 0.62 & T < 0.67)) ? 1 : 0);
#if (Shot = 0)
  camera { location <-3.5 + 1.0 * T, 6.8, -11.5> up y * 9 right x * 12 look_at <0.1, 2.9, 0> angle 54 }
#else
  camera { location <1.8, 7.8, -9.5> up y * 9 right x * 12 look_at <0, 3.3, 0> angle 58 }
#end
light_source { <-13, 15, -5> rgb <1.0, 0.92, 0.80> * (1.25 - 0.35 * Storm) area_light x * 3, y * 3, 3, 3 adaptive 1 }
light_source { <12, 9, -14> rgb <0.35, 0.40, 0.48> * 0.7 shadowless }
light_source { <0.3, 6.2, 0.2> rgb <0.75, 0.85, 1.0> * 2.4 * Flash }

// cup and saucer
#declare China = texture { pigment { rgb <0.93, 0.92, 0.89> } finish { diffuse 0.85 specular 0.7 roughness 0.004 } }
#declare Rim = 3.4;
lathe {
  cubic_spline 16
  <0, 0.2>, <0, 0.35>, <1.2, 0.35>, <1.3, 0.2>, <1.42, 0.2>, <1.45, 0.5>, <2.1, 1.3>, <2.5, 2.4>, <2.62, Rim>, <2.56, Rim + 0.04>,
  <2.48, Rim>, <2.36, 2.4>, <1.95, 1.35>, <1.0, 0.55>, <0, 0.5>, <-0.5, 0.5>
  texture { China }
}
torus { 2.565, 0.05 translate y * (Rim + 0.01) texture { pigment { rgb <0.10, 0.20, 0.42> } finish { specular 0.6 } } }
sphere_sweep {
  cubic_spline 7
  <1.6, 2.6, 0>, 0.22, <2.45, 2.75, 0>, 0.22, <3.35, 2.85, 0>, 0.21, <3.7, 2.1, 0>, 0.21, <3.1, 1.3, 0>, 0.21, <2.1, 1.05, 0>, 0.22, <1.2, 1.2, 0>, 0.22
  tolerance 0.01 rotate y * 20 texture { China }
}
lathe {
  cubic_spline 10
  <0, 0>, <0, 0.1>, <1.5, 0.1>, <1.7, 0.22>, <3.3, 0.42>, <4.1, 0.72>, <4.08, 0.62>, <3.2, 0.26>, <1.4, 0>, <0, 0>
  texture { China }
}
torus { 4.08, 0.045 translate y * 0.68 pigment { rgb <0.10, 0.20, 0.42> } }

// coffee with waves
#declare W = (Shot = 0 ? T : 1 + T) * 9;
#declare Level = 2.82;
#declare Wave = function (u, v, w) { 0.55 * sin(2.6 * u + w) + 0.45 * sin(3.1 * v - 1.1 * u + 1.3 * w) + 1.6 * (f_noise3d(1.8 * u, 0.5 * w, 1.8 * v) - 0.5) }
intersection {
  height_field {
    function 160, 160 { 0.5 + 0.20 * Wave((x - 0.5) * 5, (y - 0.5) * 5, W) }
    smooth translate <-0.5, -0.5, -0.5> scale <5, 1.05 * Storm, 5> translate y * Level
  }
  cylinder { y * 2.3, y * 5, 2.42 }
  texture {
    pigment { gradient y color_map { [0 rgb <0.10, 0.04, 0.012>] [0.55 rgb <0.17, 0.075, 0.025>] [0.82 rgb <0.62, 0.42, 0.25>] [1 rgb <0.8, 0.65, 0.45>] } scale 1.0 * Storm + 0.1 translate y * (Level - 0.5 * Storm) }
    finish { diffuse 0.7 specular 0.6 roughness 0.01 reflection { 0.02, 0.4 falloff 3 } }
  }
}
// the boat
#declare Lift = 0.21 * Storm * Wave(-0.2, 0, W);
#declare Boat = union {
  difference {
    sphere { 0, 1 scale <0.95, 0.42, 0.34> }
    plane { -y, 0 }
    sphere { y * 0.02, 1 scale <0.85, 0.34, 0.27> }
    texture { Wood(<0.50, 0.22, 0.10>, <0.35, 0.14, 0.05>, 0.3) rotate y * 90 }
  }
  cylinder { y * -0.2, y * 1.75, 0.035 texture { Walnut } }
  cylinder { y * 0.2, <-0.95, 0.22, 0>, 0.025 texture { Walnut } }
  mesh { triangle { <-0.04, 0.28, 0>, <-0.04, 1.7, 0>, <-0.92, 0.3, 0.12> } texture { pigment { rgb <0.95, 0.94, 0.90> } finish { diffuse 0.75, 0.4 } } }
  mesh { triangle { <0.06, 0.25, 0>, <0.04, 1.45, 0>, <0.82, 0.25, 0.1> } texture { pigment { rgb <0.80, 0.12, 0.08> } finish { diffuse 0.75, 0.4 } } }
  box { <-0.3, 1.66, -0.01>, <0, 1.84, 0.01> pigment { rgb <0.1, 0.2, 0.5> } }
}
object { Boat scale 0.95 rotate <22 * sin(W * 1.3) * Storm, 0, 17 * sin(W + 0.6) * Storm> rotate y * (28 + 10 * sin(W * 0.5)) translate <-0.15, Level + 0.12 + Lift, -0.1> }

// its own small cloud, with rain
#declare R = seed(4);
#declare I = 0;
#while (I < 46)
  sphere {
    0, 0.42 + 0.42 * rand(R) scale <1.25, 0.8, 1> translate <-2.1 + 4.2 * rand(R), 6.1 + 0.8 * rand(R), -0.8 + 2.0 * rand(R)>
    texture {
      pigment { rgb Between(<0.80, 0.82, 0.85>, <0.42, 0.44, 0.49>, Storm) }
      normal { bumps 0.5 scale 0.25 }
      finish { diffuse 0.6 emission 0.10 + 0.5 * Flash }
    }
    no_shadow
  }
  #declare I = I + 1;
#end
#declare I = 0;
#while (I < 90 * Storm)
  #declare A = 2 * pi * rand(R); #declare D = 2.2 * sqrt(rand(R)); #declare F = mod(rand(R) + 1 - 0 + T * 5, 1);
  #declare P = <D * cos(A), Between(6.0, 2.9, F), D * sin(A)>;
  cylinder { P, P + <0.06, 0.35, 0>, 0.014 pigment { rgbt <0.8, 0.87, 0.95, 0.5> } finish { emission 0.2 diffuse 0.4 } no_shadow }
  #declare I = I + 1;
#end
#if (Flash)
  sphere_sweep {
    linear_spline 5
    <0.3, 6.1, 0>, 0.05, <0.6, 5.3, 0>, 0.05, <0.25, 5.0, 0>, 0.05, <0.75, 4.1, 0>, 0.04, <0.5, 3.2, 0>, 0.02
    pigment { rgb <0.9, 0.95, 1> } finish { emission 3 diffuse 0 } no_shadow
  }
#end

// table, spoon, wall
plane { y, 0 texture { Oak rotate y * 90 scale 1.6 } }
union {
  sphere { 0, 0.5 scale <1.4, 0.25, 0.9> }
  cone { <0.5, 0.05, 0>, 0.13, <4.2, 0.12, 0>, 0.09 }
  sphere { <4.2, 0.12, 0>, 0.2 scale <1, 0.6, 1> }
  texture { Steel } rotate y * 62 translate <-5.2, 0.16, -1.2>
}
box { <-60, -1, 22>, <60, 50, 23> Plaster(<0.42, 0.44, 0.40>) }
object { Window(-11, 12, 21.8, 4, 6.5, <0.75, 0.85, 0.95>) }
