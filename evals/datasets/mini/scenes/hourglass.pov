// An hourglass on a desk of old books; the last sand runs out while the daylight leaves the room.
#include "common.inc"

#declare T = clock;
#declare Left = (Shot = 0 ? Between(0.80, 0.42, T) : Between(0.22, 0.0, Ramp(0, 0.85, T)));  // share still above
#declare Day = 0.35 + 0.65 * Left;
#if (Shot = 0)
  camera { location <-2.2 + 1.2 * T, 4.6, -11.5> up y * 16 right x * 9 look_at <0, 2.7, 0> angle 40 }
#else
  camera { location <1.6, 3.4, -8.5> up y * 16 right x * 9 look_at <0, 2.75, 0> angle 42 }
#end
light_source { <-12, 14, -9> rgb Between(<1.0, 0.42, 0.16>, <1.0, 0.86, 0.66>, Left) * 1.35 * Day
               area_light x * 3, y * 3, 3, 3 adaptive 1 }
light_source { <9, 6, -12> rgb <0.20, 0.22, 0.30> * 0.8 shadowless }
light_source { <6, 9, 5> rgb <0.55, 0.45, 0.35> * 0.8 }

// the profile of the glass: radius as a function of height above the neck (0 at the neck, 2.1 at the plates)
#macro Bulb(H) (0.10 + 1.18 * pow(sin(pi * min(1, max(0, (H - 0.05) / 2.25))), 0.62)) #end
#declare Neck = 2.75; #declare Reach = 2.1;
#declare Steps = 26;
#macro Profile(Inset)
  lathe {
    linear_spline 2 * Steps + 1
    #local I = -Steps;
    #while (I <= Steps)
      , <max(0.05, Bulb(abs(I) / Steps * Reach) - Inset), Neck + I / Steps * Reach>
      #local I = I + 1;
    #end
  }
#end
// an open, thin-walled shell refracts nothing, which keeps the sand readable
object { Profile(0) hollow
  texture {
    pigment { rgbt <0.93, 0.97, 0.97, 0.90> }
    finish { diffuse 0.06 specular 0.9 roughness 0.003 reflection { 0.03, 0.85 falloff 3.5 } }
  }
  no_shadow
}

#declare Sand = texture {
  pigment { granite scale 0.05 color_map { [0 rgb <0.62, 0.42, 0.20>] [1 rgb <0.90, 0.68, 0.38>] } }
  normal { bumps 0.3 scale 0.03 }
  finish { diffuse 0.9 }
}
#declare Level = Neck + 0.06 + 1.5 * pow(Left, 0.55);
#if (Left > 0.005)
  difference {
    intersection {
      object { Profile(0.06) }
      plane { y, Level }
      plane { -y, -Neck }
    }
    cone { <0, Level - 0.75 * min(1, 1.2 * sqrt(Left)), 0>, 0, <0, Level + 0.05, 0>, 1.2 }
    texture { Sand }
  }
  cylinder { <0, Neck + 0.1, 0>, <0, 0.8, 0>, 0.045 texture { Sand } }
#end
#declare Heap = 1.55 * pow(1 - Left, 0.6);
intersection {
  object { Profile(0.06) }
  union {
    cone { <0, 0.62 + 0.35 * Heap, 0>, 1.45, <0, 0.70 + Heap, 0>, 0.02 }
    cylinder { <0, 0.5, 0>, <0, 0.62 + 0.35 * Heap, 0>, 1.45 }
  }
  plane { y, Neck - 0.1 }
  texture { Sand }
}

// the frame
#declare Plate = lathe {
  linear_spline 9
  <0, 0>, <1.75, 0>, <1.85, 0.12>, <1.75, 0.22>, <1.62, 0.25>, <1.66, 0.38>, <1.55, 0.45>, <0, 0.45>, <0, 0>
}
#declare Post = lathe {
  cubic_spline 13
  <0.1, -0.3>, <0.1, 0>, <0.17, 0.2>, <0.09, 0.5>, <0.12, 1.1>, <0.17, 1.9>, <0.21, 2.2>, <0.17, 2.5>,
  <0.12, 3.3>, <0.09, 3.9>, <0.17, 4.2>, <0.1, 4.4>, <0.1, 4.7>
}
union {
  object { Plate translate y * 0.15 }
  object { Plate scale <1, -1, 1> translate y * 5.35 }
  #local I = 0;
  #while (I < 4)
    object { Post translate <1.45, 0.55, 0> rotate y * (45 + 90 * I) }
    #local I = I + 1;
  #end
  texture { Wood(<0.42, 0.20, 0.08>, <0.22, 0.09, 0.03>, 0.5) }
  rotate y * 12
}
#local I = 0;
#while (I < 3)
  sphere { 0, 0.2 scale <1, 0.75, 1> translate <1.3, 0.1, 0> rotate y * (30 + 120 * I) texture { Brass } }
  #local I = I + 1;
#end

// desk, books, wall
box { <-20, -0.6, -6>, <20, 0, 8> texture { Walnut rotate y * 90 scale 1.5 } }
#macro Book(W, H, D, Colour)
  union {
    difference {
      box { <0, 0, 0>, <W, H, D> }
      box { <0.10, 0.10, 0.12>, <W - 0.1, H - 0.08, D + 0.1> }
      texture { pigment { granite scale 2 color_map { [0 rgb Colour] [1 rgb Colour * 0.6] } } normal { granite 0.1 } finish { specular 0.2 roughness 0.05 } }
    }
    box {
      <0.09, 0.09, 0.10>, <W - 0.09, H - 0.14, D - 0.08>
      pigment { gradient y color_map { [0 rgb <0.78, 0.70, 0.54>] [1 rgb <0.60, 0.52, 0.38>] } scale 0.05 }
    }
  }
#end
object { Book(5.0, 0.9, 3.6, <0.30, 0.06, 0.05>) translate <1.6, 0, 2.2> rotate y * 5 }
object { Book(4.5, 0.7, 3.3, <0.06, 0.14, 0.12>) translate <1.9, 0.9, 2.4> rotate y * -4 }
object { Book(4.2, 1.0, 3.1, <0.22, 0.16, 0.07>) translate <1.8, 1.6, 2.6> rotate y * 7 }
#local I = 0;
#while (I < 4)
  object {
    Book(0.9, 5.2 - 0.4 * mod(I * 0.7, 1), 3.4, <0.25 - 0.05 * I, 0.07 + 0.02 * I, 0.05 + 0.03 * I>)
    translate <-5.6 + I * 0.95, 0, 3.4> rotate z * (I = 3 ? -9 : 0)
  }
  #local I = I + 1;
#end
box { <-40, -20, 8>, <40, 40, 9> Plaster(<0.24, 0.20, 0.16>) }
