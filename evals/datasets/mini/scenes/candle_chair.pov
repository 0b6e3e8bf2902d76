// A candle burns down on a table beside an empty chair; when it goes out only the blue window is left.
#include "common.inc"

#declare T = clock;
#if (Shot = 0)
  #declare Height = Between(3.0, 2.4, T); #declare Power = 1;
#else
  #declare Height = Between(2.0, 0.75, T); #declare Power = 1 - Ease(0.62, 0.86, T);
#end
#declare Gleam = Power * Flicker(T * 2 + Shot);
#declare Sway = 0.35 * sin(T * 23) * Ramp(0, 0.8, T + 0.2 * Shot);

#if (Shot = 0)
  #declare Eye = <-0.6, 3.4, -8.5>; #declare Aim = <0.1, 2.6, 0>; #declare Zoom = 42;
#else
  #declare Eye = <-1.2 + 0.4 * T, 4.2, -13>; #declare Aim = <-0.6, 2.2, 2>; #declare Zoom = 40;
#end
camera { location Eye up y * 16 right x * 9 look_at Aim angle Zoom }

#declare Tip = <0.6, 0.75 + Height, 0>;
light_source { Tip + 0.45 * y rgb <1.0, 0.62, 0.28> * 1.7 * Gleam fade_distance 4 fade_power 2
               area_light x * 0.2, y * 0.2, 2, 2 }
light_source { <-14, 12, 3> rgb <0.16, 0.24, 0.42> * 0.55 }
light_source { <-4, 9, -18> rgb <0.05, 0.055, 0.075> * (1 + 0.6 * Power) shadowless }

// the table with its candlestick
box { <-2.4, -0.35, -2>, <9, 0, 2.2> texture { Oak rotate y * 90 } }
box { <-1.9, -1.2, -1.6>, <8, -0.35, 1.9> texture { Walnut rotate y * 90 } }
cylinder { <-1.6, -9, -1.4>, <-1.6, -1, -1.4>, 0.3 texture { Walnut rotate x * 90 } }
lathe {
  cubic_spline 12
  <0, -0.1>, <0, 0>, <1.05, 0>, <1.12, 0.10>, <1.0, 0.15>, <0.40, 0.18>, <0.22, 0.35>, <0.26, 0.5>, <0.55, 0.6>,
  <0.6, 0.72>, <0.45, 0.7>, <0.3, 0.6>
  texture { Brass } translate x * 0.6
}
torus { 0.34, 0.07 rotate x * 90 translate <1.75, 0.35, 0> texture { Brass } }

// the wax glows where the flame is near
#declare Wax = texture {
  pigment { rgb <0.92, 0.86, 0.72> }
  finish { diffuse 0.75 specular 0.35 roughness 0.03 }
}
#declare Lit_Wax = texture { Wax finish { diffuse 0.75 specular 0.35 roughness 0.03 emission <0.42, 0.22, 0.07> * Gleam } }
union {
  difference {
    cylinder { 0, y * Height, 0.42 }
    sphere { y * (Height + 0.28), 0.4 }
  }
  #local I = 0;
  #while (I < 7)
    #local L = Height * (0.25 + 0.3 * mod(I * 0.37, 1));
    sphere { <0.40, Height - L, 0>, 0.10 rotate y * I * 57 }
    cone { <0.40, Height - L, 0>, 0.10, <0.39, Height - 0.02, 0>, 0.04 rotate y * I * 57 }
    #local I = I + 1;
  #end
  texture { gradient y texture_map { [0 Wax] [0.45 Wax] [1 Lit_Wax] } scale Height + 0.01 }
  translate <0.6, 0.66, 0>
}
cylinder { Tip - 0.35 * y, Tip + <0.03, 0.12, 0>, 0.035 pigment { rgb 0.02 } }
Flame(Tip + 0.02 * y, Power, Sway, Eye)
#if (Shot = 1 & T > 0.75)  // a thread of smoke
  #local I = 0;
  #while (I < 26)
    #local H = I * 0.12;
    sphere { Tip + <0.25 * sin(H * 1.7 - T * 9) * H / 3, 0.2 + H, 0>, 0.06 + 0.03 * H
             pigment { rgbt <0.6, 0.65, 0.75, 0.90> } finish { emission 0.10 diffuse 0.5 } no_shadow }
    #local I = I + 1;
  #end
#end

// the empty chair, drawn back and half turned to the light
#declare Chair = union {
  box { <-1.9, 4.2, -1.8>, <1.9, 4.5, 1.8> }
  #local I = 0;
  #while (I < 4)
    box { <-0.16, 0, -0.16>, <0.16, 4.3, 0.16> translate <-1.7 + 3.4 * mod(I, 2), 0, -1.6 + 3.2 * int(I / 2)> }
    #local I = I + 1;
  #end
  union {
    cylinder { <-1.7, 4.4, 0>, <-1.7, 9.4, 0>, 0.18 }
    cylinder { <1.7, 4.4, 0>, <1.7, 9.4, 0>, 0.18 }
    #local I = 0;
    #while (I < 4)
      box { <-1.7, 5.4 + I * 1.05, -0.07>, <1.7, 5.95 + I * 1.05, 0.07> }
      #local I = I + 1;
    #end
    rotate x * 7 translate z * 1.3
  }
  box { <-1.6, 2, -1.66>, <1.6, 2.3, -1.54> }
}
object { Chair texture { Oak rotate x * 90 } rotate y * 38 translate <-3.6, -6.6, 4.6> }

object { Board_Floor(-6.6, <0.30, 0.18, 0.10>, <0.16, 0.09, 0.05>) }
box { <-30, -7, 9>, <30, 30, 10> Plaster(<0.42, 0.36, 0.32>) }
box { <-30, -6.6, 8.8>, <30, -5.4, 9> pigment { rgb <0.35, 0.3, 0.26> } }
object { Window(-4.6, 6.4, 8.9, 1.9, 2.6, <0.05, 0.10, 0.24>) }
