// Wine is drunk up (0), the empty bottles stand in the gray morning (1), a teddy bear sits alone (2).
#include "common.inc"

#declare T = clock;
#macro Bottle(Full)
  union {
    lathe {
      cubic_spline 14
      <0, -0.2>, <0, 0>, <0.70, 0>, <0.75, 0.12>, <0.75, 1>, <0.75, 3.0>, <0.74, 3.6>, <0.52, 4.25>, <0.27, 4.7>, <0.25, 5.2>,
      <0.25, 5.9>, <0.31, 5.95>, <0.29, 6.2>, <0.2, 6.25>
      texture {
        pigment { rgbft <0.05, 0.16, 0.06, 0.45, 0.1> }
        finish { diffuse 0.25 specular 0.95 roughness 0.003 reflection { 0.03, 0.6 falloff 3.5 } }
      }
      hollow
    }
    #if (Full > 0.02)
      cylinder { y * 0.08, y * (0.08 + 3.5 * Full), 0.69 pigment { rgb <0.035, 0.003, 0.008> } }
    #end
    difference {
      cylinder { y * 1.0, y * 2.7, 0.765 open }
      plane { -z, -0.15 }
      texture {
        pigment { gradient y color_map { [0 rgb <0.45, 0.05, 0.06>] [0.12 rgb <0.45, 0.05, 0.06>] [0.12 rgb <0.85, 0.80, 0.66>] [0.75 rgb <0.88, 0.83, 0.70>] [0.75 rgb <0.60, 0.42, 0.15>] [0.80 rgb <0.60, 0.42, 0.15>] [0.80 rgb <0.88, 0.83, 0.70>] [1 rgb <0.85, 0.80, 0.66>] } scale 1.7 translate y }
        finish { diffuse 0.85 }
      }
    }
    box { <-0.28, 1.75, -0.79>, <0.28, 2.05, -0.74> pigment { rgb <0.2, 0.05, 0.05> } }
    box { <-0.36, 1.5, -0.78>, <0.36, 1.56, -0.73> pigment { rgb <0.2, 0.15, 0.1> } }
  }
#end
#declare Foil = cylinder { y * 4.95, y * 6.27, 0.3 texture { pigment { rgb <0.25, 0.02, 0.04> } finish { specular 0.7 roughness 0.02 metallic } } }
#macro Goblet(Full)
  union {
    lathe {
      cubic_spline 13
      <0, 0>, <0.0, 0.03>, <0.85, 0.03>, <0.80, 0.10>, <0.13, 0.25>, <0.08, 0.8>, <0.09, 1.7>, <0.30, 2.0>, <0.82, 2.6>,
      <0.90, 3.2>, <0.72, 4.0>, <0.70, 4.02>, <0.66, 4.0>
      material { Clear_Glass } hollow
    }
    #if (Full > 0.02)
      intersection {
        lathe { cubic_spline 7 <0, 1.9>, <0.0, 2.02>, <0.28, 2.1>, <0.76, 2.65>, <0.85, 3.2>, <0.72, 3.8>, <0.7, 4> }
        plane { y, 2.05 + 1.35 * Full }
        pigment { rgb <0.16, 0.004, 0.015> } finish { specular 0.6 roughness 0.01 reflection { 0.03, 0.4 falloff 3 } }
      }
    #end
  }
#end
#declare Fur = texture {
  pigment { granite scale 0.25 color_map { [0 rgb <0.24, 0.12, 0.045>] [1 rgb <0.52, 0.30, 0.13>] } }
  normal { bumps 1.2 scale 0.045 }
  finish { diffuse 0.95 }
}
#declare Pale_Fur = texture { Fur pigment { granite scale 0.25 color_map { [0 rgb <0.50, 0.34, 0.18>] [1 rgb <0.74, 0.56, 0.34>] } } }
#declare Teddy = union {
  sphere { 0, 1 scale <1.35, 1.55, 1.15> translate y * 1.5 texture { Fur } }
  sphere { 0, 1 scale <0.85, 1.0, 0.5> translate <0, 1.4, -0.78> texture { Pale_Fur } }
  union {
    sphere { 0, 1.15 scale <1.08, 1, 0.98> texture { Fur } }
    sphere { <0.92, 0.92, 0.1>, 0.45 texture { Fur } }
    sphere { <-0.92, 0.92, 0.1>, 0.45 texture { Fur } }
    sphere { 0, 0.30 scale <1, 1, 0.6> translate <0.94, 0.94, -0.22> texture { Pale_Fur } }
    sphere { 0, 0.30 scale <1, 1, 0.6> translate <-0.94, 0.94, -0.22> texture { Pale_Fur } }
    sphere { 0, 0.52 scale <1.1, 0.85, 0.9> translate <0, -0.25, -0.95> texture { Pale_Fur } }
    sphere { 0, 0.17 scale <1.3, 0.9, 0.8> translate <0, -0.05, -1.40> pigment { rgb 0.015 } finish { specular 0.8 roughness 0.01 } }
    sphere { <0.42, 0.22, -0.98>, 0.14 pigment { rgb 0.01 } finish { specular 1 roughness 0.003 reflection 0.08 } }
    sphere { <-0.42, 0.22, -0.98>, 0.14 pigment { rgb 0.01 } finish { specular 1 roughness 0.003 reflection 0.08 } }
    cylinder { <0, -0.2, -1.41>, <0, -0.42, -1.38>, 0.03 pigment { rgb 0.02 } }
    rotate <-14, 0, 7> translate <0.05, 3.6, -0.15>
  }
  #declare S = -1;
  #while (S < 2)
    sphere_sweep { cubic_spline 5 <S * 0.8, 2.8, 0>, 0.4, <S * 1.1, 2.4, -0.1>, 0.44, <S * 1.65, 1.5, -0.5>, 0.42, <S * 1.6, 0.8, -0.9>, 0.4, <S * 1.5, 0.2, -1.2>, 0.4 tolerance 0.02 texture { Fur } }
    sphere_sweep { cubic_spline 5 <S * 0.4, 0.6, 0.6>, 0.5, <S * 0.7, 0.6, -0.2>, 0.58, <S * 1.05, 0.58, -1.3>, 0.55, <S * 1.2, 0.62, -2.0>, 0.54, <S * 1.3, 0.7, -2.6>, 0.5 tolerance 0.02 texture { Fur } }
    sphere { 0, 0.48 scale <0.9, 1.05, 0.35> rotate y * S * -12 translate <S * 1.24, 0.66, -2.42> texture { Pale_Fur } }
    #declare S = S + 2;
  #end
  // a red ribbon
  torus { 0.78, 0.13 rotate x * -8 translate <0, 2.72, -0.05> pigment { rgb <0.55, 0.03, 0.04> } }
}

#if (Shot < 2)
  #if (Shot = 0)
    camera { location <-1.6 + 0.6 * T, 4.6, -12> up y * 16 right x * 9 look_at <0.2, 3.1, 0> angle 38 }
    object { Bottle(Between(0.92, 0.10, T)) translate <-1.0, 0, 0.4> }
    object { Goblet(0.9 * (1 - mod(T * 3, 1))) translate <1.35, 0, -0.6> }
    light_source { <-6, 10, -7> rgb <1.0, 0.76, 0.46> * 1.3 area_light x * 2, y * 2, 3, 3 adaptive 1 }
    light_source { <5, 8, 6> rgb <1.0, 0.66, 0.36> * 1.0 }
  #else
    camera { location <1.6 - 0.6 * T, 4.9, -13> up y * 16 right x * 9 look_at <0, 2.8, 0> angle 40 }
    object { Bottle(0) rotate y * 12 translate <-1.7, 0, 0.6> }
    object { Bottle(0) rotate y * -14 translate <0.2, 0, 1.5> }
    object { Bottle(0) rotate y * 30 translate <1.9, 0, 0.7> }
    object { Bottle(0) rotate z * 90 rotate y * 24 translate <2.0, 0.76, -1.7> }
    object { Goblet(0) rotate z * -97 rotate y * 20 translate <-1.9, 0.85, -1.2> }
    light_source { <-12, 12, -4> rgb <0.62, 0.70, 0.82> * (0.9 + 0.3 * T) area_light x * 2, y * 2, 3, 3 adaptive 1 }
    light_source { <8, 8, 6> rgb <0.5, 0.55, 0.65> }
  #end
  light_source { <8, 7, -14> rgb <0.24, 0.25, 0.30> shadowless }
  box { <-14, -0.6, -5>, <14, 0, 6> texture { Oak rotate y * 90 scale 1.4 } }
  box { <-40, -20, 12>, <40, 40, 13> Plaster(<0.30, 0.25, 0.20>) }
  object { Window(-6.5, 7.5, 11.8, 2.4, 4, (Shot = 0 ? <0.02, 0.03, 0.07> : <0.42, 0.50, 0.60>)) }
#else
  #declare Gap = 1 - 0.75 * Ease(0.2, 0.95, T);
  camera { location <-1.5, 3.6 + 0.8 * T, -12.5 - 2.5 * T> up y * 16 right x * 9 look_at <0, 2.7, 0> angle 40 }
  object { Teddy rotate y * 14 }
  // light through a door that is closing behind the viewer
  light_source { <7, 10, -24> rgb <1.0, 0.84, 0.60> * 1.6 * (0.25 + 0.75 * Gap) spotlight point_at <0, 1.5, 0> radius 3 + 6 * Gap falloff 5 + 9 * Gap area_light x * 1.5, y * 1.5, 3, 3 adaptive 1 }
  light_source { <-12, 12, -10> rgb <0.20, 0.25, 0.38> * 0.9 shadowless }
  object { Board_Floor(0, <0.40, 0.25, 0.14>, <0.26, 0.15, 0.08>) }
  box { <-40, 0, 6>, <40, 40, 7> texture { pigment { gradient x color_map { [0 rgb <0.42, 0.48, 0.50>] [0.5 rgb <0.42, 0.48, 0.50>] [0.5 rgb <0.50, 0.54, 0.52>] [1 rgb <0.50, 0.54, 0.52>] } scale 2.2 } } }
  box { <-40, 0, 5.8>, <40, 1.1, 6> pigment { rgb 0.6 } }
  box { <-1, 0, -1>, <1, 2, 1> texture { pigment { rgb <0.65, 0.12, 0.08> } finish { specular 0.3 } } scale 0.55 rotate y * 30 translate <-3.3, 0, 0.6> }
  box { <-1, 0, -1>, <1, 2, 1> texture { pigment { rgb <0.10, 0.25, 0.50> } finish { specular 0.3 } } scale 0.55 rotate y * -12 translate <-3.0, 0, -1.6> }
  box { <-1, 0, -1>, <1, 2, 1> texture { pigment { rgb <0.80, 0.58, 0.08> } finish { specular 0.3 } } scale 0.55 rotate y * 50 translate <3.1, 0, 0.9> }
#end
