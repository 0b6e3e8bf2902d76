// Two figures under one lamp turn away from each other, and their heads sink.
#include "common.inc"
#include "figures.inc"

#declare T = clock;
#declare Turn = (Shot = 0 ? Ease(0.25, 0.95, T) : 1);
#declare Sink = (Shot = 0 ? 0.15 * Turn : 0.15 + 0.85 * Ease(0.1, 0.8, T));
#if (Shot = 0)
  camera { location <-1.5 + T, 7.0, -16.5> up y * 9 right x * 12 look_at <0, 5.2, 0> angle 55 }
#else
  camera { location <1.2, 7.6, -12.5> up y * 9 right x * 12 look_at <0, 5.6, 0> angle 56 }
#end

#declare Open = array[10] {
  <-8, 0, 0>, <-6, 0, 0>, <38, 0, 14>, <38, 0, 0>, <30, 0, -12>, <40, 0, 0>,
  <0, 0, 4>, 0 * x, <0, 0, -4>, 0 * x
}
#declare Shut = array[10] {
  <-14, 0, 0>, <-44, 0, 0>, <20, -38, 20>, <78, 0, 0>, <20, 38, -20>, <84, 0, 0>,
  <0, 0, 3>, 0 * x, <0, 0, -3>, 0 * x
}
#declare Pose = Blend(Open, Shut, Ease(0, 1, Turn) * 0.6 + 0.4 * Sink)
#declare Hips = y * (Hip_Height(0, 0) + 0.2);
object { Figure(Pose) rotate y * Between(-78, 62, Turn) translate Hips + <-4.4, 0, 1.2> }
object { Figure(Pose) scale <-1, 1, 1> rotate y * Between(78, -58, Turn) translate Hips + <4.4, 0, 1.2> }

// the lamp on its small table
#declare Glow = 1 - 0.45 * Sink;
union {
  cylinder { y * 3.55, y * 3.8, 2.1 }
  cylinder { y * 0.2, y * 3.6, 0.22 }
  cylinder { 0, y * 0.25, 1.3 }
  texture { Walnut rotate x * 90 }
  translate z * 1.4
}
lathe {
  cubic_spline 12
  <0, 3.7>, <0, 3.8>, <0.85, 3.8>, <0.9, 3.95>, <0.4, 4.1>, <0.35, 4.25>, <0.85, 4.75>, <0.95, 5.15>, <0.55, 5.75>,
  <0.16, 6.0>, <0.13, 6.5>, <0.1, 6.9>
  Glazed(<0.10, 0.22, 0.30>) translate z * 1.4
}
difference {
  cone { y * 6.3, 1.75, y * 8.4, 0.95 open }
  plane { y, -10 }
  texture {
    pigment { gradient y color_map { [0 rgb <1, 0.78, 0.48>] [0.5 rgb <1, 0.88, 0.64>] [1 rgb <0.95, 0.68, 0.38>] } scale 2.1 translate y * 6.3 }
    finish { emission 0.85 * Glow diffuse 0.4 }
  }
  no_shadow translate z * 1.4
}
torus { 1.75, 0.05 translate <0, 6.3, 1.4> texture { Brass } }
torus { 0.95, 0.05 translate <0, 8.4, 1.4> texture { Brass } }
light_source { <0, 7.0, 1.4> rgb <1.0, 0.68, 0.36> * 1.35 * Glow fade_distance 6 fade_power 2 area_light x, z, 3, 3 adaptive 1 }
light_source { <-10, 14, -16> rgb <0.20, 0.23, 0.30> * 0.9 shadowless }

object { Board_Floor(0, <0.34, 0.20, 0.11>, <0.22, 0.12, 0.06>) }
cylinder { 0, y * 0.06, 7 Cloth(<0.22, 0.07, 0.07>) translate z * 1 }
box { <-40, 0, 8>, <40, 30, 9> Plaster(<0.40, 0.42, 0.40>) }
box { <-40, 0, 7.8>, <40, 1, 8> pigment { rgb 0.45 } }
object { Window(8.5, 8.5, 7.9, 1.8, 2.8, <0.035, 0.06, 0.14>) }
union {  // a picture on the wall
  box { <-2, -1.5, -0.15>, <2, 1.5, 0> texture { Walnut rotate y * 90 } }
  box { <-1.7, -1.2, -0.2>, <1.7, 1.2, -0.1> pigment { gradient y color_map { [0 rgb <0.10, 0.18, 0.10>] [0.45 rgb <0.2, 0.3, 0.2>] [0.46 rgb <0.45, 0.5, 0.5>] [1 rgb <0.3, 0.4, 0.55>] } scale 2.4 translate y * -1.2 } }
  rotate z * (3 * Sink) translate <-8.5, 9.2, 7.9>
}
