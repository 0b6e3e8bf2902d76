// A daisy in a pot bends, browns and loses its petals while days pass over the window sill.
#include "common.inc"

#declare T = clock;
#declare Age = (Shot = 0 ? 0.12 * Ease(0, 1, T) : 0.12 + 0.88 * Ease(0.02, 0.9, T));
#declare Sun = (Shot = 0 ? 0.35 + 0.1 * T : 0.5 + 0.5 * sin(T * 2 * pi * 2.5));  // days go by
#if (Shot = 0)
  camera { location <-2.2 + 0.8 * T, 8.2, -9.5> up y * 16 right x * 9 look_at <-0.1, 7.3, 0> angle 36 }
#else
  camera { location <0.8, 6.6, -14.5> up y * 16 right x * 9 look_at <0.3, 4.2, 0> angle 33 }
#end
light_source { vrotate(<0, 14, -13>, z * Between(50, -50, (Shot = 0 ? 0.3 : mod(T * 2.5, 1)))) rgb <1.0, 0.90, 0.74> * (0.35 + 0.95 * Sun)
               area_light x * 2, y * 2, 3, 3 adaptive 1 }
light_source { <6, 9, -16> rgb <0.28, 0.32, 0.40> shadowless }

// the stem is an arc whose bend grows towards its top; it gives the head's place and lean
#declare Bend = 12 + 148 * pow(Age, 1.3);
#declare N = 14; #declare Long = 6.2 - 0.5 * Age;
#declare At = array[N + 1];
#declare At[0] = <0, 2.7, 0>;
#declare I = 1;
#while (I <= N)
  #declare Lean = Bend * pow(I / N, 2.6);
  #declare At[I] = At[I - 1] + vrotate(y * Long / N, z * -Lean);
  #declare I = I + 1;
#end
#declare Stem_Colour = Between(<0.13, 0.32, 0.06>, <0.30, 0.24, 0.09>, Age);
sphere_sweep {
  b_spline N + 3
  At[0] - y, 0.16, At[0], 0.16
  #declare I = 1;
  #while (I <= N) , At[I], 0.15 - 0.003 * I #declare I = I + 1; #end
  At[N], 0.1
  pigment { rgb Stem_Colour } finish { specular 0.2 roughness 0.05 }
}
#macro Leaf(Where, Turn, Droop)
  intersection {
    sphere { 0, 1 scale <1.6, 0.09, 0.48> }
    box { <-1.6, -0.2, -1>, <1.6, 0.2, 1> }
    pigment { gradient z triangle_wave color_map { [0 rgb Stem_Colour * 1.5] [0.2 rgb Stem_Colour * 0.85] [1 rgb Stem_Colour * 1.1] } scale 0.5 }
    finish { diffuse 0.8 specular 0.2 roughness 0.05 }
    translate x * 1.6 rotate z * Droop rotate y * Turn translate Where
  }
#end
object { Leaf(At[2], 25, Between(32, -58, Age)) }
object { Leaf(At[3], 200, Between(38, -64, Age)) }
object { Leaf(At[5], 120, Between(40, -70, Age)) }

#declare White = Between(<0.95, 0.95, 0.92>, <0.45, 0.30, 0.15>, pow(Age, 1.4));
#macro Petal(K, Curl)
  sphere {
    0, 1 scale <0.80, 0.045, 0.27>
    texture {
      pigment { gradient x color_map { [0 rgb White * <0.95, 0.93, 0.75>] [0.3 rgb White] [1 rgb White] } scale 1.6 translate x * -0.8 }
      normal { gradient z 0.4 triangle_wave scale 0.09 }
      finish { diffuse 0.85 emission White * 0.06 }
    }
    translate x * 1.05 rotate z * Curl rotate x * (mod(K, 3) - 1) * 7 rotate y * (K * 360 / 22)
  }
#end
#declare R = seed(11);
#declare Head = union {
  sphere {
    0, 0.56 scale <1, 0.5, 1>
    texture {
      pigment { granite scale 0.2 color_map { [0 rgb Between(<0.95, 0.62, 0.02>, <0.32, 0.19, 0.05>, Age)] [1 rgb Between(<0.75, 0.38, 0.01>, <0.2, 0.1, 0.03>, Age)] } }
      normal { bumps 0.9 scale 0.06 }
    }
  }
  #declare K = 0;
  #while (K < 22)
    #declare Falls = 0.35 + 0.9 * rand(R);  // the age at which this petal lets go
    #if (Age < Falls) object { Petal(K, 6 - 70 * Age * (0.7 + 0.6 * mod(K * 0.618, 1))) } #end
    #declare K = K + 1;
  #end
  rotate x * -62 rotate y * 8
}
object { Head rotate z * -Bend translate At[N] }
#declare R = seed(11); #declare S = seed(5);
#declare K = 0;
#while (K < 22)
  #declare Falls = 0.35 + 0.9 * rand(R);
  #declare Spot = <3.4 * rand(S) + 0.2, 0.05, -3.5 * rand(S) + 0.6>;
  #if (Age >= Falls)
    #declare Way = min(1, (Age - Falls) / 0.06);
    object { Petal(0, 0) translate x * -1 rotate <60 * (1 - Way), 360 * mod(K * 0.618, 1), 15> translate Between(At[N], Spot, Way) }
  #end
  #declare K = K + 1;
#end

// pot, saucer, sill, wall
lathe {
  linear_spline 9
  <0.0, 0.3>, <1.15, 0.3>, <1.65, 2.3>, <1.9, 2.3>, <1.95, 3.0>, <1.72, 3.0>, <1.6, 2.4>, <1.1, 0.5>, <0, 0.5>
  texture {
    pigment { granite scale 1.5 color_map { [0 rgb <0.58, 0.24, 0.12>] [1 rgb <0.70, 0.34, 0.19>] } }
    normal { bumps 0.08 scale 0.1 }
  }
}
cylinder { y * 2.3, y * 2.65, 1.6 texture { pigment { granite scale 0.3 color_map { [0 rgb 0.03] [1 rgb <0.14, 0.09, 0.06>] } } normal { granite 0.9 scale 0.3 } } }
cone { <0, 0.05, 0>, 1.5, <0, 0.4, 0>, 2.0 pigment { rgb <0.52, 0.22, 0.11> } }
box { <-20, -0.7, -4.5>, <20, 0.05, 5> texture { pigment { rgb <0.72, 0.70, 0.65> } finish { specular 0.3 roughness 0.02 reflection { 0, 0.2 falloff 3 } } } }
box { <-20, -20, -3.8>, <20, -0.6, 5> Plaster(<0.40, 0.43, 0.45>) }
box { <-40, -2, 5>, <40, 40, 6> Plaster(<0.30, 0.36, 0.40>) }
object { Window(-4.6, 8.2, 4.9, 2.4, 5.2, <0.16, 0.26, 0.40> * (0.25 + 1.2 * Sun)) }
