// A soccer ball is kicked across the lawn (0), strikes a vase indoors (1), and lies among the shards (2).
#include "common.inc"

#declare T = clock;

// twelve dark and twenty light panels: each the part of a slightly swollen ball nearest to its own centre
#declare G = (1 + sqrt(5)) / 2;
#declare Centre = array[32];
#declare K = 0;
#declare A = -1;
#while (A < 2)
  #declare B = -1;
  #while (B < 2)
    #declare Centre[K] = vnormalize(<0, A, B * G>);
    #declare Centre[K + 4] = vnormalize(<A, B * G, 0>);
    #declare Centre[K + 8] = vnormalize(<B * G, 0, A>);
    #declare Centre[K + 12] = vnormalize(<0, A / G, B * G>);
    #declare Centre[K + 16] = vnormalize(<A / G, B * G, 0>);
    #declare Centre[K + 20] = vnormalize(<B * G, 0, A / G>);
    #declare Centre[K + 24] = vnormalize(<A, B, 1>);
    #declare Centre[K + 28] = vnormalize(<A, B, -1>);
    #declare K = K + 1;
    #declare B = B + 2;
  #end
  #declare A = A + 2;
#end
#macro Reach(I) (I < 12 ? 0.9393 : 0.9150) #end
#declare Ball = union {
  sphere { 0, 0.985 pigment { rgb 0.12 } }
  #declare I = 0;
  #while (I < 32)
    intersection {
      sphere { 0, 1 }
      #declare J = 0;
      #while (J < 32)
        #declare D = vdot(Centre[I], Centre[J]);
        #if (J != I & D > 0.6) plane { vnormalize(Centre[J] / Reach(J) - Centre[I] / Reach(I)), -0.012 } #end
        #declare J = J + 1;
      #end
      pigment { rgb (I < 12 ? <0.02, 0.02, 0.025> : <0.90, 0.90, 0.88>) }
      finish { diffuse 0.8 specular 0.35 roughness 0.02 }
    }
    #declare I = I + 1;
  #end
}
#declare Lawn = texture {
  pigment { bozo scale 0.18 turbulence 0.6 color_map { [0 rgb <0.05, 0.15, 0.02>] [0.6 rgb <0.13, 0.27, 0.04>] [1 rgb <0.26, 0.38, 0.09>] } }
  normal { bumps 0.9 scale <0.05, 0.4, 0.1> }
}
#declare Vase_Texture = texture {
  pigment {
    gradient y
    color_map {
      [0.00 rgb <0.90, 0.91, 0.92>] [0.30 rgb <0.90, 0.91, 0.92>] [0.30 rgb <0.06, 0.14, 0.42>] [0.34 rgb <0.06, 0.14, 0.42>]
      [0.34 rgb <0.90, 0.91, 0.92>] [0.40 rgb <0.90, 0.91, 0.92>] [0.40 rgb <0.06, 0.14, 0.42>] [0.62 rgb <0.10, 0.20, 0.50>]
      [0.62 rgb <0.90, 0.91, 0.92>] [1 rgb <0.90, 0.91, 0.92>]
    }
    scale 4.6
  }
  finish { diffuse 0.75 specular 0.8 roughness 0.005 reflection { 0.02, 0.4 falloff 4 } }
}
#declare Vase = lathe {
  cubic_spline 15
  <0, -0.1>, <0, 0>, <0.75, 0>, <0.80, 0.2>, <1.30, 1.2>, <1.55, 2.3>, <1.20, 3.3>, <0.60, 3.9>, <0.62, 4.3>, <0.92, 4.6>,
  <0.86, 4.6>, <0.52, 4.25>, <0.50, 3.9>, <1.10, 3.2>, <1.4, 2.3>
  texture { Vase_Texture }
}
#declare Shell = sor {  // the same outline, thin: what it breaks into
  9
  <0.70, -0.4>, <0.76, 0>, <1.02, 0.6>, <1.30, 1.2>, <1.55, 2.3>, <1.20, 3.3>, <0.60, 3.9>, <0.62, 4.3>, <1.2, 4.9>
  open texture { Vase_Texture }
}
#macro Tulip(Colour)
  union {
    sphere_sweep { b_spline 5 y * -1.5, 0.07, 0, 0.07, <0.1, 1.3, 0>, 0.07, <0.3, 2.6, 0>, 0.06, <0.5, 3.6, 0>, 0.06 pigment { rgb <0.14, 0.32, 0.08> } }
    #local Q = 0;
    #while (Q < 6)
      sphere { 0, 1 scale <0.26, 0.62, 0.12> translate z * -0.26 rotate x * 8 rotate y * Q * 60 translate <0.34, 3.2, 0> pigment { rgb Colour * (0.8 + 0.2 * mod(Q, 2)) } }
      #local Q = Q + 1;
    #end
    sphere { 0, 1 scale <0.07, 1.5, 0.3> rotate z * -24 translate <0.5, 1.0, 0> pigment { rgb <0.16, 0.36, 0.10> } }
  }
#end
#macro Inside()
  object { Board_Floor(0, <0.42, 0.26, 0.14>, <0.28, 0.16, 0.08>) }
  box { <-60, 0, 10>, <60, 40, 11> Plaster(<0.62, 0.56, 0.46>) }
  box { <-60, 0, 9.7>, <60, 1.2, 10> pigment { rgb 0.75 } }
  light_source { <-12, 15, -7> rgb <1.0, 0.93, 0.82> * 1.25 area_light x * 3, y * 3, 3, 3 adaptive 1 }
  light_source { <12, 9, -14> rgb <0.32, 0.36, 0.45> * 0.7 shadowless }
#end

#if (Shot = 0)
  camera { location <0.6, 1.5, -7.5> up y * 9 right x * 12 look_at <0, 1.5, 2> angle 52 }
  #declare Kick = Ease(0.30, 0.34, T) * 0.001 + Ramp(0.32, 1, T);
  object {
    Ball rotate <Kick * 700, 20, 15>
    translate <0.4 + 2.6 * Kick, 1 + 7 * Kick * (1 - 0.45 * Kick), 0.5 + 22 * Kick>
  }
  plane { y, 0 texture { Lawn } }
  box { <-40, 0, 40>, <40, 18, 41> texture { brick texture { pigment { rgb 0.55 } } texture { pigment { granite color_map { [0 rgb <0.42, 0.17, 0.11>] [1 rgb <0.55, 0.25, 0.17>] } } } brick_size <3, 1, 2> mortar 0.12 } }
  box { <-44, 18, 36>, <44, 19, 45> pigment { rgb <0.25, 0.22, 0.22> } }
  object { Window(7, 9.5, 39.8, 4, 5, <0.20, 0.26, 0.33>) }
  object { Window(-12, 9.5, 39.8, 4, 5, <0.20, 0.26, 0.33>) }
  #declare R = seed(2); #declare I = 0;
  #while (I < 16)
    sphere { 0, 1 scale <3, 2.6 + rand(R), 2> translate <-34 + I * 4.6, 1, 36> texture { pigment { bozo scale 0.3 color_map { [0 rgb <0.03, 0.09, 0.02>] [1 rgb <0.12, 0.24, 0.06>] } } normal { bumps 1 scale 0.3 } } }
    #declare I = I + 1;
  #end
  sky_sphere { pigment { gradient y color_map { [0 rgb <0.75, 0.84, 0.93>] [0.6 rgb <0.25, 0.45, 0.78>] } } }
  light_source { <-40, 50, -40> rgb <1.0, 0.94, 0.82> * 1.3 area_light x * 6, y * 6, 3, 3 adaptive 1 }
  light_source { <30, 20, -40> rgb <0.3, 0.36, 0.45> * 0.8 shadowless }
#end
#if (Shot = 1)
  camera { location <-1.5, 8.0, -13.5> up y * 9 right x * 12 look_at <0.4, 7.4, 0> angle 54 }
  #declare Hit = 0.45;
  #declare Fall = Ramp(Hit, 1, T);
  object { Ball rotate z * -T * 700 translate (T < Hit ? <-11 + 9.0 * T / Hit, 8.6 + 1.2 * sin(pi * T / Hit), -0.3> : <-2.0 - 3.5 * Fall, 8.6 - 6 * Fall * Fall, -0.3 - 2 * Fall>) }
  union {
    object { Vase }
    object { Tulip(<0.80, 0.10, 0.08>) rotate z * 14 translate y * 3.0 }
    object { Tulip(<0.92, 0.62, 0.08>) rotate <-8, 140, -12> translate y * 3.0 }
    object { Tulip(<0.85, 0.25, 0.35>) rotate <10, 60, 3> translate y * 3.3 }
    translate x * -0.8 rotate z * -72 * Fall translate <0.8 + 2.0 * Fall, 5.2 - 1.5 * Fall * Fall, 0>
  }
  box { <-3.4, 4.7, -2>, <2.8, 5.2, 2> texture { Walnut rotate y * 90 } }
  box { <-3.1, 0, -1.8>, <-2.6, 4.8, -1.3> texture { Walnut rotate x * 90 } }
  box { <2.0, 0, -1.8>, <2.5, 4.8, -1.3> texture { Walnut rotate x * 90 } }
  object { Window(-9, 11, 9.9, 2.8, 4.5, <0.65, 0.78, 0.92>) }
  Inside()
#end
#if (Shot = 2)
  camera { location <-2 + T, 5.5 - T, -10.5 + T> up y * 9 right x * 12 look_at <0, 0.9, 0> angle 46 }
  object { Ball rotate <20, 0, -160 * pow(T, 0.5)> translate <-3.4 + 1.2 * pow(T, 0.5), 1, 0.8> }
  #declare R = seed(17); #declare I = 0;
  #while (I < 10)  // shards: pieces of the vase between random planes, laid on the floor
    #declare H = 0.6 + 3.2 * mod(I * 0.618, 1); #declare S = 0.3 + 0.45 * rand(R);
    object {
      Shell
      bounded_by { sphere { vrotate(<1.35, H, 0>, y * I * 53), S * 1.5 } }
      clipped_by {
        intersection {
          sphere { vrotate(<1.35, H, 0>, y * I * 53), S * 1.5 }
          plane { vrotate(<1, 0.4, 0.3>, y * (I * 53 + 70)), S * 0.9 translate vrotate(<1.2, H, 0>, y * I * 53) }
        }
      }
      translate -vrotate(<1.3, H, 0>, y * I * 53)
      rotate y * -I * 53 rotate z * (75 + 30 * rand(R)) rotate y * 360 * rand(R)
      translate <0.4 + 4.2 * (rand(R) - 0.35), 0.3, -1.8 + 3.6 * rand(R)>
    }
    #declare I = I + 1;
  #end
  object { Shell clipped_by { plane { vnormalize(<0.25, 1, -0.1>), 1.5 } } rotate z * -82 rotate y * 40 translate <1.8, 1.1, 1.6> }
  object { Tulip(<0.80, 0.10, 0.08>) rotate <0, 0, 86> rotate y * -24 translate <3.2, 0.3, -1.4> }
  object { Tulip(<0.92, 0.62, 0.08>) rotate <0, 0, 84> rotate y * 28 translate <1.4, 0.4, -2.3> }
  cylinder { 0, y * 0.03, 1.9 scale <1.5, 1, 0.8> translate <1.2, 0, -0.6> pigment { rgbt <0.2, 0.15, 0.1, 0.6> } finish { specular 0.9 roughness 0.003 reflection { 0.1, 0.7 falloff 2 } } }
  Inside()
#end
