// Two figures stand hand in hand before a gilt mirror; it cracks between them and one of them walks away.
#include "common.inc"
#include "figures.inc"

#declare T = clock;
#declare Crack = (Shot = 0 ? Ramp(0.55, 0.60, T) : 1);
#declare Leave = (Shot = 0 ? 0 : Ease(0.15, 1, T));
#if (Shot = 0)
  camera { location <-3.4 + 0.8 * T, 10.2, -11> up y * 16 right x * 9 look_at <0.1, 6.9, 6> angle 43 }
#else
  camera { location <-0.6, 10.4, -12> up y * 16 right x * 9 look_at <0.9, 6.6, 5> angle 46 }
#end

// the figures face the mirror
#declare Near = array[10] {
  <-2, 0, 0>, <-6, -14, 0>, <6, 0, 16>, <8, 0, 6>, <4, 0, -8>, <10, 0, 0>, <0, 0, 3>, 0 * x, <0, 0, -3>, 0 * x
}
#declare Bowed = array[10] {
  <-14, 0, 0>, <-34, 0, 0>, <4, 0, 9>, <8, 0, 0>, <6, 0, -8>, <8, 0, 0>, <0, 0, 3>, 0 * x, <0, 0, -3>, 0 * x
}
#declare Pace = sin(Leave * 6 * pi) * 22 * (Leave < 1 ? 1 : 0);
#declare Walking = array[10] {
  <-8, 0, 0>, <-24, 0, 0>, <-Pace, 0, 8>, <12, 0, 0>, <Pace, 0, -8>, <12, 0, 0>, <Pace, 0, 3>, <-abs(Pace) * 0.5, 0, 0>, <-Pace, 0, -3>, <-abs(Pace) * 0.5, 0, 0>
}
#declare Hips = y * (Hip_Height(0, 0) + 0.2);
#declare Stay = Blend(Near, Bowed, Ease(0.3, 1, Leave))
object { Figure(Stay) scale <-1, 1, 1> rotate y * 180 translate Hips + <-1.45, 0, 1.5> }
#declare Go = Blend(Near, Walking, Ramp(0, 0.15, Leave))
object { Figure(Go) rotate y * (180 + 105 * Ramp(0, 0.25, Leave)) translate Hips + <1.45 + 5.2 * Leave, 0, 1.5 - 1.2 * Leave> }

// the mirror: shards around seeds near a seam down the middle; each tilts a little once it has cracked
#declare W = 3.3; #declare H = 4.6; #declare Middle = <0.1, 7.6, 7>;
#declare N = 17;
#declare Seed = array[N];
#declare Tilt = array[N];
#declare R = seed(29);
#declare I = 0;
#while (I < N)
  #declare Seed[I] = <(rand(R) - 0.5) * 2.2 * W * (0.25 + 0.75 * mod(I, 2)), (rand(R) - 0.5) * 1.9 * H, 0>;
  #declare Tilt[I] = <(rand(R) - 0.5) * 7, (rand(R) - 0.5) * 9, 0>;
  #declare I = I + 1;
#end
union {
  #declare I = 0;
  #while (I < N)
    intersection {
      box { <-W, -H, 0>, <W, H, 0.1> }
      #declare J = 0;
      #while (J < N & Crack > 0)
        #if (J != I)
          plane { vnormalize(Seed[J] - Seed[I]), vlength(Seed[J] - Seed[I]) / 2 - 0.022 * Crack translate Seed[I] }
        #end
        #declare J = J + 1;
      #end
      translate -Seed[I] rotate Tilt[I] * 0.45 * Crack translate Seed[I]
      #if (mod(I, 6) = 2) translate <0, -14 * pow(max(0, Leave - 0.2), 2), -0.6 * Leave> #end
      pigment { rgb <0.015, 0.018, 0.02> }
      finish { diffuse 0.3 specular 0.6 roughness 0.002 reflection { 0.86 } }
    }
    #if (Crack = 0) #declare I = N; #end
    #declare I = I + 1;
  #end
  box { <-W, -H, 0.35>, <W, H, 0.4> pigment { rgb <0.045, 0.035, 0.03> } }
  union {
    #declare S = -1;
    #while (S < 2)
      box { <S * W - 0.3, -H - 0.3, -0.3>, <S * W + 0.3, H + 0.3, 0.4> }
      box { <-W - 0.3, S * H - 0.3, -0.3>, <W + 0.3, S * H + 0.3, 0.4> }
      cylinder { <S * W, -H, -0.3>, <S * W, H, -0.3>, 0.16 }
      cylinder { <-W, S * H, -0.3>, <W, S * H, -0.3>, 0.16 }
      sphere { <W, S * H, -0.3>, 0.4 }
      sphere { <-W, S * H, -0.3>, 0.4 }
      #declare S = S + 2;
    #end
    texture { Brass normal { bumps 0.4 scale 0.12 } }
  }
  translate Middle
}

// the room in front of the mirror and the one it shows
object { Board_Floor(0, <0.36, 0.21, 0.11>, <0.22, 0.12, 0.06>) }
box { <-40, 0, 7.4>, <40, 40, 8> Plaster(<0.30, 0.09, 0.10>) }
box { <-40, 0, 7.1>, <40, 1.2, 7.4> texture { Walnut rotate y * 90 } }
box { <-40, 0, -21>, <40, 40, -20> Plaster(<0.42, 0.40, 0.34>) }
object { Window(7, 10, 0, 3.0, 5, <0.55, 0.66, 0.80>) rotate y * 180 translate z * -19.9 }
light_source { <-8, 17, -10> rgb <1.0, 0.86, 0.66> * Between(1.25, 0.85, Leave) area_light x * 3, z * 3, 3, 3 adaptive 1 }
light_source { <8, 12, -15> rgb <0.42, 0.50, 0.62> * 0.8 }
light_source { <0, 13, 6> rgb <0.75, 0.66, 0.55> shadowless fade_distance 7 fade_power 2 }
