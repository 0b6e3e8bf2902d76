// Even shots: pawns advance on a chessboard, one square at a time. Odd shots: wooden figures step in rank.
#include "common.inc"
#include "figures.inc"

#declare T = clock;
#declare Pawn = lathe {
  cubic_spline 18
  <0, -0.2>, <0, 0>, <0.62, 0>, <0.66, 0.14>, <0.60, 0.28>, <0.48, 0.34>, <0.46, 0.44>, <0.30, 0.72>, <0.20, 1.15>,
  <0.19, 1.35>, <0.38, 1.42>, <0.36, 1.52>, <0.22, 1.58>, <0.34, 1.78>, <0.35, 2.0>, <0.2, 2.24>, <0, 2.3>, <-0.2, 2.24>
}
#macro Chessman(Colour)
  texture {
    pigment { wood turbulence 0.05 scale 0.2 rotate x * 85 color_map { [0 rgb Colour] [1 rgb Colour * 0.72] } }
    finish { diffuse 0.7 specular 0.7 roughness 0.01 reflection { 0.02, 0.35 falloff 3 } }
  }
#end

#if (mod(Shot, 2) = 0)
  #declare Done = Shot / 2;  // the row has advanced this many squares before
  camera { location <-7 + 2 * Done, 6 - 1.6 * Done, -13 + Done> up y * 9 right x * 12 look_at <0, 0.8, -1.2> angle 44 }
  #declare I = 0;
  #while (I < 8)
    #declare Step = Ease(I / 10, I / 10 + 0.22, T);
    object {
      Pawn Chessman(<0.86, 0.70, 0.46>)
      translate <-7 + 2 * I, 0.75 * sin(pi * Step), -5 + 2 * Done + 2 * Step>
    }
    object { Pawn Chessman(<0.10, 0.055, 0.035>) translate <-7 + 2 * I, 0, 5> }
    #declare I = I + 1;
  #end
  object {  // the king behind the black row
    lathe {
      cubic_spline 14
      <0, -0.2>, <0, 0>, <0.82, 0>, <0.86, 0.2>, <0.62, 0.45>, <0.40, 1.1>, <0.30, 2.1>, <0.58, 2.3>, <0.55, 2.45>,
      <0.34, 2.55>, <0.58, 3.2>, <0.45, 3.35>, <0, 3.5>, <-0.3, 3.5>
    }
    Chessman(<0.10, 0.055, 0.035>) translate <1, 0, 7>
  }
  union {
    box { <-0.1, 3.4, -0.1>, <0.1, 4.2, 0.1> }
    box { <-0.3, 3.72, -0.1>, <0.3, 3.92, 0.1> }
    Chessman(<0.10, 0.055, 0.035>) translate <1, 0, 7>
  }
  box {
    <-8, -0.4, -8>, <8, 0, 8>
    texture {
      checker
      texture { pigment { wood turbulence 0.1 scale 0.3 rotate y * 90 color_map { [0 rgb <0.16, 0.08, 0.04>] [1 rgb <0.09, 0.045, 0.02>] } } finish { reflection { 0.02, 0.4 falloff 3 } specular 0.4 roughness 0.02 } }
      texture { pigment { wood turbulence 0.1 scale 0.3 rotate y * 90 color_map { [0 rgb <0.74, 0.56, 0.34>] [1 rgb <0.62, 0.45, 0.26>] } } finish { reflection { 0.02, 0.4 falloff 3 } specular 0.4 roughness 0.02 } }
      scale 2
    }
  }
  box { <-9, -0.6, -9>, <9, -0.1, 9> texture { Walnut rotate y * 90 } }
  plane { y, -0.6 texture { Oak rotate y * 90 scale 3 } }
  box { <-60, -1, 26>, <60, 40, 27> Plaster(<0.18, 0.20, 0.20>) }
  light_source { <-10, 13, -5> rgb <1.0, 0.86, 0.66> * 1.35 area_light x * 2, z * 2, 3, 3 adaptive 1 }
  light_source { <12, 8, -8> rgb <0.3, 0.35, 0.45> * 0.6 shadowless }
#else
  #declare Done = (Shot - 1) / 2;
  camera { location <-10 + 3 * Done, 9 - 3 * Done, -19> up y * 9 right x * 12 look_at <0, 3.2, 0> angle 48 }
  #declare Row = 0;
  #while (Row < 3)
    #declare I = 0;
    #while (I < 7)
      #declare Step = Ease(I / 10, I / 10 + 0.3, T);
      #declare Bend = 34 * sin(pi * Step);
      #declare Pose = array[10] {
        0 * x, <-10 * Done, 0, 0>, <-0.6 * Bend, 0, 8>, <10, 0, 0>, <0.6 * Bend, 0, -8>, <10, 0, 0>,
        <1.6 * Bend, 0, 3>, <-1.7 * Bend, 0, 0>, <-0.4 * Bend, 0, -3>, 0 * x
      }
      object { Figure(Pose) translate <-9.6 + 3.2 * I, Hip_Height(0.4 * Bend, 0) + 0.2, -2 + 5 * Row + 2 * (1 - Step) - 2 * Done> }
      #declare I = I + 1;
    #end
    #declare Row = Row + 1;
  #end
  plane {
    y, 0
    texture {
      checker
      texture { pigment { granite color_map { [0 rgb 0.10] [1 rgb 0.16] } } finish { reflection { 0.02, 0.4 falloff 3 } } }
      texture { pigment { granite color_map { [0 rgb 0.48] [1 rgb 0.60] } } finish { reflection { 0.02, 0.4 falloff 3 } } }
      scale 3.2 translate <1.6, 0, 1>
    }
  }
  box { <-80, 0, 40>, <80, 60, 41> Plaster(<0.22, 0.25, 0.28>) }
  light_source { <-14, 24, -14> rgb <0.95, 0.95, 1.0> * 1.2 area_light x * 3, z * 3, 3, 3 adaptive 1 }
  light_source { <14, 10, -16> rgb <0.35, 0.38, 0.45> * 0.5 shadowless }
#end
