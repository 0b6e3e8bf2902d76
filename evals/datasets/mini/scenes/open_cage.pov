// A red balloon lives in a birdcage; the door swings open and it drifts out, and up into the sky.
#include "common.inc"

#declare T = clock;
#declare Door = (Shot = 0 ? 118 * Ease(0.15, 0.6, T) : 118);
#if (Shot = 0)
  #declare At = <0.15 * sin(T * 9), 3.0 + 0.15 * sin(T * 7), -1.6 * Ease(0.65, 1, T)>;
  camera { location <-3.4, 4.6, -12.5> up y * 16 right x * 9 look_at <0.1, 3.4, 0> angle 42 }
#else
  #declare At = <0.6 * sin(T * 4), 6.2 + 5.2 * T, -5.5 + 2.0 * T>;
  camera { location <-2.2, 1.2 + 2.2 * T, -16> up y * 16 right x * 9 look_at <0, 5.4 + 2.6 * T, 0> angle 48 }
#end
light_source { <-30, 45, -40> rgb <1.0, 0.93, 0.82> * 1.25 area_light x * 6, y * 6, 3, 3 adaptive 1 }
light_source { <25, 20, -30> rgb <0.30, 0.36, 0.45> * 0.7 shadowless }

#declare Balloon = union {
  lathe {
    cubic_spline 9
    <0.2, -1.95>, <0.10, -1.72>, <0.42, -1.35>, <1.05, -0.55>, <1.32, 0.25>, <1.12, 1.05>, <0.55, 1.48>, <0.001, 1.58>, <-0.5, 1.5>
    texture {
      pigment { rgb <0.75, 0.02, 0.025> }
      finish { diffuse 0.7 specular 0.9 roughness 0.006 reflection { 0.03, 0.35 falloff 3 } }
    }
  }
  cone { <0, -1.85, 0>, 0.2, <0, -1.66, 0>, 0.06 pigment { rgb <0.6, 0.02, 0.02> } }
  sphere_sweep {
    b_spline 7
    <0, -1.3, 0>, 0.025, <0, -1.8, 0>, 0.025, <0.12, -2.2, 0>, 0.025, <-0.12, -2.7, 0>, 0.025,
    <0.14, -3.2, 0>, 0.025, <-0.05, -3.6, 0>, 0.025, <0.1, -4, 0>, 0.025
    pigment { rgb 0.9 }
  }
}
object { Balloon rotate z * 4 * sin(T * 8) scale (Shot = 0 ? 0.82 : 1) translate At }

// the cage: a ring of bars under a dome; the door is the three bars towards the viewer
#declare Radius = 2.5; #declare Tall = 4.6; #declare Bars = 28;
#macro Bar()
  union {
    cylinder { <Radius, 0.25, 0>, <Radius, Tall, 0>, 0.055 }
    #local J = 0;
    #while (J < 9)
      #local A = radians(J * 10); #local B = radians((J + 1) * 10);
      cylinder { <Radius * cos(A), Tall + 2.1 * sin(A), 0>, <Radius * cos(B), Tall + 2.1 * sin(B), 0>, 0.055 }
      #local J = J + 1;
    #end
  }
#end
#declare Gap_From = 246; #declare Gap_To = 294;
union {
  #local I = 0;
  #while (I < Bars)
    #local A = I * 360 / Bars;
    #if (A < Gap_From | A > Gap_To)
      object { Bar() rotate -y * A }
    #else
      intersection { object { Bar() } plane { -y, -4.0 } rotate -y * A }
      intersection { object { Bar() } plane { y, 0.8 } rotate -y * A }
    #end
    #local I = I + 1;
  #end
  torus { Radius, 0.09 translate y * Tall }
  torus { Radius, 0.07 translate y * 0.8 }
  torus { Radius, 0.07 translate y * 4.0 }
  torus { Radius + 0.05, 0.16 translate y * 0.2 }
  cylinder { 0, y * 0.15, Radius + 0.05 }
  sphere { y * 6.8, 0.22 }
  torus { 0.42, 0.07 rotate x * 90 translate y * 7.4 }
  texture { Brass }
}
union {  // the door turns about its left bar
  #local I = 0;
  #while (I < 5)
    cylinder { <I * 0.46, 0.85, 0>, <I * 0.46, 3.95, 0>, 0.05 }
    #local I = I + 1;
  #end
  cylinder { <0, 0.85, 0>, <1.84, 0.85, 0>, 0.06 }
  cylinder { <0, 3.95, 0>, <1.84, 3.95, 0>, 0.06 }
  cylinder { <0, 2.4, 0>, <1.84, 2.4, 0>, 0.05 }
  texture { Brass }
  rotate y * Door
  translate <-0.95, 0, -2.33>
}
cylinder { <-2.2, 1.9, 0.3>, <2.2, 1.9, 0.3>, 0.09 texture { Oak rotate y * 90 } }

// a sill of stone, hills and a summer sky
box { <-30, -1, -16>, <30, 0, 4> Plaster(<0.62, 0.58, 0.52>) }
plane {
  y, -40
  pigment { bozo scale 14 color_map { [0 rgb <0.13, 0.24, 0.06>] [1 rgb <0.26, 0.34, 0.13>] } }
  finish { emission 0.9 diffuse 0 }
}
#declare R = seed(3);
#local I = 0;
#while (I < 14)  // hills, bluer the farther they stand
  #local Far = I / 14;
  sphere {
    0, 1 scale <110 + 70 * rand(R), 22 + 14 * rand(R) + 22 * (1 - Far), 30>
    translate <-190 + 380 * rand(R), -46, 330 - 150 * Far>
    texture {
      pigment { rgb Between(<0.42, 0.54, 0.66>, <0.16, 0.28, 0.12>, Far) }
      normal { bumps 0.4 scale 0.2 }
      finish { emission 0.65 diffuse 0.25 }
    }
  }
  #local I = I + 1;
#end
sky_sphere {
  pigment { gradient y color_map { [0 rgb <0.72, 0.82, 0.92>] [0.45 rgb <0.20, 0.42, 0.78>] [1 rgb <0.08, 0.22, 0.55>] } }
  pigment {
    bozo turbulence 0.6 octaves 6 lambda 2.4 scale <0.5, 0.16, 0.3> translate x * T * 0.02
    color_map { [0.45 rgbt <1, 1, 1, 1>] [0.70 rgbt <1, 1, 1, 0.15>] [1 rgbt <0.88, 0.9, 0.93, 0>] }
  }
}
