// A lighthouse stands in a night storm, its beam turning; then the clouds part and the sea lies calm.
#include "common.inc"
#include "functions.inc"

#declare T = clock;
#declare Calm = (Shot = 0 ? 0 : Ease(0.0, 0.9, T));
#declare Flash = (Shot = 0 & ((T > 0.42 & T < 0.47) | (T > 0.52 & T < 0.55)) ? 1 : 0);
#if (Shot = 0)
  camera { location <-16 + T, 5.0 + 0.4 * sin(T * 7), -42> up y * 16 right x * 9 look_at <0.5, 10.5, 0> angle 32 }
#else
  camera { location <-24, 6.5, -46> up y * 16 right x * 9 look_at <0, 9.5, 0> angle 30 }
#end

#declare Dusk = Between(<0.16, 0.20, 0.28>, <1.0, 0.66, 0.42>, Calm);
light_source { <-60, 40, -50> rgb Dusk * 1.1 }
light_source { <40, 50, -60> rgb <0.10, 0.12, 0.17> shadowless }
light_source { <-30, 60, 10> rgb <0.8, 0.85, 1> * 2.2 * Flash }

// the tower
#declare Band = function { mod(floor(y / 2.6 + 100), 2) }
union {
  lathe {
    cubic_spline 9
    <2.6, -1>, <2.35, 0>, <2.0, 2.4>, <1.72, 5>, <1.5, 8>, <1.36, 10.6>, <1.34, 11.4>, <1.7, 11.9>, <1.7, 12.3>
    texture {
      pigment { function { Band(x, y, z) } color_map { [0 rgb <0.90, 0.89, 0.86>] [0.5 rgb <0.90, 0.89, 0.86>] [0.5 rgb <0.62, 0.05, 0.04>] [1 rgb <0.62, 0.05, 0.04>] } }
      normal { granite 0.06 }
      finish { diffuse 0.8 }
    }
  }
  cylinder { y * 11.9, y * 12.1, 2.1 texture { Iron } }
  #declare I = 0;
  #while (I < 16)
    cylinder { <2.0, 12.1, 0>, <2.0, 12.9, 0>, 0.05 rotate y * I * 22.5 texture { Iron } }
    #declare I = I + 1;
  #end
  torus { 2.0, 0.06 translate y * 12.9 texture { Iron } }
  torus { 2.0, 0.04 translate y * 12.5 texture { Iron } }
  cylinder { y * 12.1, y * 13.9, 0.85 pigment { rgb <1, 0.86, 0.5> } finish { emission 1.5 diffuse 0 } no_shadow }
  #declare I = 0;
  #while (I < 8)
    cylinder { <1.02, 12.1, 0>, <1.02, 13.9, 0>, 0.07 rotate y * I * 45 texture { Iron } }
    #declare I = I + 1;
  #end
  cone { y * 13.9, 1.35, y * 15.1, 0.15 pigment { rgb <0.50, 0.05, 0.04> } }
  sphere { y * 15.2, 0.22 texture { Iron } }
  cylinder { y * 15.2, y * 16.2, 0.04 texture { Iron } }
  #declare I = 0;
  #while (I < 3)
    box { <-0.28, 2.2 + I * 3.2, -2.1>, <0.28, 3.1 + I * 3.2, 0> pigment { rgb <0.03, 0.035, 0.05> } }
    #declare I = I + 1;
  #end
  translate y * 2.2
}
// the keeper's house
union {
  box { <-1.6, 0, -1.2>, <1.6, 2.0, 1.2> pigment { rgb <0.85, 0.84, 0.80> } }
  prism { linear_sweep linear_spline -1.75, 1.75, 4, <-1.4, 0>, <1.4, 0>, <0, 1.5>, <-1.4, 0> rotate x * -90 rotate y * 90 translate y * 2.0 pigment { rgb <0.35, 0.09, 0.06> } }
  box { <-0.9, 0.8, -1.25>, <-0.3, 1.5, 0> pigment { rgb <1, 0.75, 0.35> } finish { emission 0.9 diffuse 0 } }
  box { <0.5, 0, -1.25>, <1.1, 1.4, 0> pigment { rgb <0.2, 0.1, 0.06> } }
  translate <4.6, 1.5, 0.5>
}
// the beam, a pair of faint cones that turn and thin out
#declare Turn = 130 + 330 * (Shot = 0 ? T : 1 + 0.6 * T);
#declare Beam = 1 - Ease(0.1, 0.6, Calm);
#if (Beam > 0.01)
  union {
    cone { x * 1.0, 0.5, x * 40, 3.6 open }
    cone { x * -1.0, 0.5, x * -40, 3.6 open }
    pigment {
      spherical
      color_map { [0 rgbt <1, 0.88, 0.55, 1>] [0.6 rgbt <1, 0.88, 0.55, 1 - 0.16 * Beam>] [1 rgbt <1, 0.92, 0.65, 1 - 0.42 * Beam>] }
      scale 40
    }
    finish { emission 1.3 diffuse 0 }
    hollow no_shadow no_reflection
    rotate y * Turn translate y * 15.2
  }
#end

// rock
#declare R = seed(21);
#declare I = 0;
#while (I < 26)
  superellipsoid {
    <0.55, 0.55> scale <1.4 + 1.6 * rand(R), 0.9 + 0.9 * rand(R), 1.4 + 1.2 * rand(R)>
    rotate <20 * rand(R), 360 * rand(R), 20 * rand(R)>
    translate <-5.5 + 12.5 * rand(R), 0.5 + 0.5 * rand(R), -3.5 + 6 * rand(R)>
    texture {
      pigment { granite scale 2 color_map { [0 rgb <0.09, 0.085, 0.08>] [1 rgb <0.26, 0.24, 0.22>] } }
      normal { granite 0.6 scale 1.2 }
      finish { specular 0.25 roughness 0.05 }
    }
  }
  #declare I = I + 1;
#end

// the sea: a mesh of waves that runs under the clock
#declare Rough = Between(1, 0.16, Calm);
#declare Swell = function (u, v, w) {
  0.62 * sin(u * 0.42 + v * 0.25 + w) + 0.45 * sin(u * 0.23 - v * 0.61 + w * 1.4)
  + 2.2 * (f_noise3d(u * 0.35, w * 0.3, v * 0.5 + w * 0.4) - 0.5) + 0.8 * (f_noise3d(u * 1.2, w * 0.6, v * 1.5) - 0.5)
}
#declare W = (Shot = 0 ? T : 1 + T) * 6.5;
height_field {
  function 260, 260 { 0.5 + 0.12 * Swell((x - 0.5) * 110, (y - 0.5) * 110, W) }
  smooth
  translate <-0.5, -0.5, -0.5>
  scale <110, 8.0 * Rough, 110>
  translate <0, 0.1, 4>
  texture {
    pigment { gradient y color_map { [0 rgb <0.012, 0.035, 0.05>] [0.62 rgb <0.03, 0.08, 0.10>] [0.80 rgb Between(<0.42, 0.50, 0.54>, <0.05, 0.10, 0.13>, Calm)] } scale 3.6 translate y * -1.8 }
    normal { bumps 0.35 scale 0.35 translate W }
    finish { diffuse 0.6 specular 0.5 roughness 0.01 reflection { 0.03, 0.6 falloff 3 } }
  }
}
plane {  // the open sea behind the waves
  y, -0.6
  texture {
    pigment { rgb Between(<0.035, 0.06, 0.075>, <0.05, 0.10, 0.13>, Calm) }
    normal { bumps 0.25 scale <3, 1, 1.5> translate W }
    finish { diffuse 0.6 reflection { 0.03, 0.45 falloff 3 } }
  }
}
#declare I = 0;
#while (I < (1 - Calm) * 150)  // spray on the weather side
  #declare A = mod(rand(R) + T * 2, 1);
  sphere {
    <-6.5 - 2.5 * rand(R) + 3 * A, 0.8 + (3.5 + 2 * rand(R)) * A * (1 - A) * 2.4, -4 + 5 * rand(R)>, 0.07 + 0.14 * rand(R)
    pigment { rgbt <0.9, 0.95, 1, 0.45> } finish { emission 0.12 diffuse 0.6 } no_shadow
  }
  #declare I = I + 1;
#end

sky_sphere {
  pigment {
    gradient y
    color_map {
      [0 rgb Between(<0.07, 0.09, 0.125>, <1.0, 0.55, 0.28>, Calm)] [0.25 rgb Between(<0.06, 0.08, 0.11>, <0.72, 0.50, 0.45>, Calm)]
      [0.7 rgb Between(<0.02, 0.03, 0.05>, <0.20, 0.30, 0.50>, Calm)]
    }
  }
  pigment {
    bozo turbulence 0.8 octaves 6 lambda 2.3 scale <0.5, 0.18, 0.4> translate <T * 0.12 + Shot * 0.12, 0, 0>
    color_map {
      [Between(0.25, 0.55, Calm) rgbt <1, 1, 1, 1>]
      [0.65 rgbt Between(<0.06, 0.07, 0.09, 0.25>, <0.95, 0.60, 0.50, 0.35>, Calm) + Flash * <0.4, 0.4, 0.5, 0>]
      [1 rgbt Between(<0.03, 0.035, 0.05, 0.1>, <0.60, 0.38, 0.42, 0.25>, Calm)]
    }
  }
}
