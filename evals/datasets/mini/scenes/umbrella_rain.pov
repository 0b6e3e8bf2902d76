// Rain at night; a red umbrella stands over an empty bench under a street lamp, until the wind takes it.
#include "common.inc"

#declare T = clock;
#declare Gust = (Shot = 0 ? 0 : Ease(0.1, 1, T));
#if (Shot = 0)
  camera { location <-1.5 + 0.6 * T, 7.2, -17> up y * 16 right x * 9 look_at <0, 9, 0> angle 48 }
#else
  camera { location <4, 5.5, -26> up y * 16 right x * 9 look_at <-0.5, 9.5, 0> angle 46 }
#end

light_source { <7.5, 20, -5> rgb <1.0, 0.78, 0.48> * 1.5 fade_distance 16 fade_power 2 area_light x, z, 3, 3 adaptive 1 }
light_source { <-25, 30, -30> rgb <0.30, 0.38, 0.52> * 0.75 }
light_source { <-8, 14, 22> rgb <0.35, 0.45, 0.65> * 0.9 shadowless }

// the umbrella: eight panels that sag between the ribs
#macro Canopy_Point(R, A)
  #local Panel = abs(sin(4 * A));  // 0 on a rib, 1 between two
  #local Reach = R * 6.4 * (1 - 0.075 * Panel * R);
  #local Drop = 3.0 * pow(R, 2.1) - 0.22 * Panel * R;
  (<Reach * cos(A), -Drop, Reach * sin(A)>)
#end
#declare Canopy = mesh {
  #local NA = 96; #local NR = 10;
  #local I = 0;
  #while (I < NA)
    #local A0 = 2 * pi * I / NA; #local A1 = 2 * pi * (I + 1) / NA;
    #local J = 0;
    #while (J < NR)
      #local P00 = Canopy_Point(J / NR, A0); #local P01 = Canopy_Point(J / NR, A1);
      #local P10 = Canopy_Point((J + 1) / NR, A0); #local P11 = Canopy_Point((J + 1) / NR, A1);
      #if (J > 0) triangle { P00, P01, P11 } #end
      triangle { P00, P11, P10 }
      #local J = J + 1;
    #end
    #local I = I + 1;
  #end
}
#declare Umbrella = union {
  object {
    Canopy
    texture {
      pigment { rgb <0.62, 0.03, 0.035> }
      finish { diffuse 0.65, 0.45 specular 0.35 roughness 0.02 reflection 0.03 }
    }
  }
  #local I = 0;
  #while (I < 8)
    union {
      cylinder { <0, -0.1, 0>, <3.4, -0.92, 0>, 0.045 }
      cylinder { <3.4, -0.92, 0>, <6.4, -3.02, 0>, 0.045 }
      cylinder { <0, -3.2, 0>, <3.2, -1.0, 0>, 0.035 }
      sphere { <6.4, -3.02, 0>, 0.11 }
      texture { Steel } rotate y * (I * 45)
    }
    #local I = I + 1;
  #end
  cylinder { <0, 0.9, 0>, <0, -9.2, 0>, 0.09 texture { Steel } }
  cone { <0, 0.1, 0>, 0.2, <0, 1.1, 0>, 0.07 texture { Iron } }
  intersection {
    torus { 0.75, 0.17 rotate x * 90 }
    plane { y, 0 }
    translate <0.75, -9.4, 0> texture { Walnut }
  }
  cylinder { <0, -9.4, 0>, <0, -8.2, 0>, 0.17 texture { Walnut } }
}
object {
  Umbrella
  translate y * 10.2
  rotate <14 + 8 * sin(T * 9) * (0.2 + Gust), 20, 10 + 3 * sin(T * 12) + 62 * Gust>
  translate <0.2 - 6 * Gust, 3.6 + 6.5 * Gust, -0.2>
}

// the bench
#declare Bench = union {
  #local I = 0;
  #while (I < 5)
    box { <-6, 4.2, -1.6 + I * 0.75>, <6, 4.45, -1.0 + I * 0.75> }
    #local I = I + 1;
  #end
  #local I = 0;
  #while (I < 4)
    box { <-6, 5.3 + I * 0.95, 2.1 + I * 0.2>, <6, 5.95 + I * 0.95, 2.35 + I * 0.2> }
    #local I = I + 1;
  #end
}
object { Bench texture { Oak rotate y * 90 finish { reflection { 0.02, 0.4 falloff 3 } specular 0.6 } } translate z * 1.5 }
union {
  #local I = -1;
  #while (I < 2)
    box { <-0.15, 0, 0>, <0.15, 4.2, 0.3> translate x * I * 5.4 }
    box { <-0.15, 0, 3.4>, <0.15, 4.8, 3.8> translate x * I * 5.4 }
    box { <-0.15, 4.0, 0>, <0.15, 4.2, 3.8> translate x * I * 5.4 }
    cylinder { <0, 4.2, 3.7>, <0, 9, 4.6>, 0.14 translate x * I * 5.4 }
    #local I = I + 2;
  #end
  texture { Iron } translate z * -0.1
}

// the lamp post
union {
  cylinder { 0, y * 21, 0.28 }
  cone { 0, 0.8, y * 2.2, 0.35 }
  cylinder { <0, 20.5, 0>, <-1.6, 21.2, 0>, 0.16 }
  texture { Iron } translate <9.2, 0, 4>
}
sphere {
  <7.4, 20.8, 4>, 0.95
  pigment { rgb <1, 0.85, 0.55> } finish { emission 2 diffuse 0 } no_shadow
}

// wet ground, a hedge, and lit windows far off
plane {
  y, 0
  texture {
    pigment { granite scale 3 color_map { [0 rgb 0.05] [1 rgb <0.15, 0.15, 0.16>] } }
    normal { bumps 0.20 scale <0.8, 0.5, 0.5> translate <T * 0.6, T * 2, 0> }
    finish { diffuse 0.6 specular 0.5 roughness 0.02 reflection { 0.10, 0.75 falloff 2 } }
  }
}
#declare R = seed(7);
#local I = 0;
#while (I < 34)
  sphere {
    0, 1 scale <3 + 2 * rand(R), 3 + 3 * rand(R), 2>
    translate <-40 + I * 2.5, 2 + 3 * rand(R), 22 + 4 * rand(R)>
    texture { pigment { bozo scale 0.3 color_map { [0 rgb <0.01, 0.025, 0.015>] [1 rgb <0.05, 0.09, 0.05>] } } normal { bumps 0.9 scale 0.3 } }
  }
  #local I = I + 1;
#end
#local I = 0;
#while (I < 26)
  sphere {
    <-50 + 100 * rand(R), 10 + 18 * rand(R), 60>, 0.7 + 0.8 * rand(R)
    pigment { rgbt <1.0, 0.6 + 0.3 * rand(R), 0.25 + 0.4 * rand(R), 0.35> } finish { emission 0.7 diffuse 0 } no_shadow
  }
  #local I = I + 1;
#end
sky_sphere { pigment { gradient y color_map { [0 rgb <0.05, 0.065, 0.10>] [0.6 rgb <0.012, 0.016, 0.03>] } } }

// rain: streaks that fall through a box of air, and rings where they land
#declare Slant = 0.08 + 0.35 * Gust;
#local I = 0;
#while (I < 420)
  #local X = -13 + 26 * rand(R); #local Z = -12 + 22 * rand(R); #local Speed = 3 + 2 * rand(R);
  #local Y = 26 * mod(rand(R) + 2 - T * Speed / 2 + 3, 1);
  #local L = 0.9 + 0.7 * rand(R);
  cylinder {
    <X - Slant * Y, Y, Z>, <X - Slant * (Y + L), Y + L, Z>, 0.018 + 0.0009 * (Z + 12)
    pigment { rgbt <0.8, 0.87, 1.0, 0.68> } finish { emission 0.16 diffuse 0.5 } no_shadow no_reflection
  }
  #local I = I + 1;
#end
#local I = 0;
#while (I < 60)
  #local Age = mod(rand(R) + T * 4, 1);
  torus {
    0.1 + 0.55 * Age, 0.02 scale <1, 0.4, 1> translate <-9 + 18 * rand(R), 0.01, -10 + 11 * rand(R)>
    pigment { rgbt <0.7, 0.75, 0.85, 0.4 + 0.6 * Age> } finish { emission 0.12 diffuse 0.4 } no_shadow
  }
  #local I = I + 1;
#end
