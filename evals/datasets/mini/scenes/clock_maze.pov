// Even shots: a wall clock whose hands race. Odd shots: a red ball that hurries through a hedge maze.
#include "common.inc"

#declare T = clock;
#if (mod(Shot, 2) = 0)
  #declare Minutes = (Shot / 2 + T) * 150 + 20;
  camera { location <-2.4 + Shot, 0.6, -15.5 + Shot * 1.6> up y * 16 right x * 9 look_at <0, 0, 0> angle 33 }
  cylinder { z * 0.1, z * 0.7, 3.5 texture { pigment { rgb <0.93, 0.91, 0.85> } finish { diffuse 0.85 specular 0.1 } } }
  torus { 3.5, 0.34 rotate x * 90 scale <1, 1, 1.5> translate z * 0.25 texture { Walnut } }
  torus { 3.16, 0.07 rotate x * 90 texture { Brass } }
  #declare I = 0;
  #while (I < 60)
    box {
      <-0.025 - (mod(I, 5) = 0 ? 0.035 : 0), 2.78, 0.05>, <0.025 + (mod(I, 5) = 0 ? 0.035 : 0), 3.02, 0.12>
      rotate z * -6 * I pigment { rgb 0.03 }
    }
    #declare I = I + 1;
  #end
  #declare I = 1;
  #while (I <= 12)
    text {
      ttf "timrom.ttf" str(I, 0, 0) 0.05, 0
      pigment { rgb 0.02 } scale <0.78, 0.78, 1>
      translate vrotate(y * 2.3, z * -30 * I) + <(I > 9 ? -0.38 : -0.19), -0.26, 0.06>
    }
    #declare I = I + 1;
  #end
  union {
    prism { linear_sweep linear_spline 0, 0.06, 5, <-0.10, -0.6>, <0.10, -0.6>, <0.05, 2.75>, <-0.05, 2.75>, <-0.10, -0.6> rotate x * -90 rotate z * -6 * Minutes translate z * -0.06 }
    prism { linear_sweep linear_spline 0, 0.06, 5, <-0.13, -0.5>, <0.13, -0.5>, <0.06, 1.8>, <-0.06, 1.8>, <-0.13, -0.5> rotate x * -90 rotate z * -0.5 * Minutes translate z * 0.02 }
    cylinder { z * -0.16, z * 0.1, 0.2 }
    pigment { rgb 0.02 } finish { specular 0.5 roughness 0.02 }
  }
  box { <-0.022, -0.8, -0.02>, <0.022, 2.8, 0.0> rotate z * -47 * Minutes translate z * -0.1 pigment { rgb <0.65, 0.04, 0.03> } }
  // wallpaper with faint stripes
  box { <-30, -30, 0.75>, <30, 30, 2> texture { pigment { gradient x color_map { [0 rgb <0.46, 0.50, 0.44>] [0.5 rgb <0.46, 0.50, 0.44>] [0.5 rgb <0.52, 0.56, 0.49>] [1 rgb <0.52, 0.56, 0.49>] } scale 1.6 } } }
  box { <-30, -7.2, 0.4>, <30, -6.6, 1> texture { Walnut rotate y * 90 } }
  box { <-30, -30, 0.6>, <30, -7.2, 1> texture { Walnut rotate x * 90 } }
  light_source { <-9, 12, -14> rgb <1.0, 0.92, 0.80> * 1.15 area_light x * 3, y * 3, 3, 3 adaptive 1 }
  light_source { <10, -2, -14> rgb <0.30, 0.34, 0.42> * 0.7 shadowless }
#else
  #declare Part = (Shot - 1) / 2;
  #declare Grid = array[15] {
    "###############", "#S..#.....#...#", "###.#.###.#.#.#", "#...#.#...#.#.#", "#.###.#.###.#.#", "#.....#.....#.#",
    "#######.#####.#", "#.....#.#.....#", "#.###.#.#.#####", "#.#...#...#...#", "#.#.#######.#.#", "#.#.........#.#",
    "#.###########.#", "#.............#", "###############"
  }
  #declare Hedge = texture {
    pigment { bozo scale 0.10 turbulence 0.5 color_map { [0 rgb <0.015, 0.055, 0.012>] [0.6 rgb <0.06, 0.16, 0.035>] [1 rgb <0.16, 0.30, 0.07>] } }
    normal { bumps 1.3 scale 0.09 }
  }
  union {
    #declare I = 0;
    #while (I < 15)
      #declare J = 0;
      #while (J < 15)
        #if (strcmp(substr(Grid[I], J + 1, 1), "#") = 0)
          box { <J - 7.5 - 0.02, 0, 7.5 - I - 1.02>, <J - 6.48, 0.95 + 0.05 * mod(I * 7 + J * 3, 4), 7.52 - I> }
        #end
        #declare J = J + 1;
      #end
      #declare I = I + 1;
    #end
    texture { Hedge }
  }
  plane { y, 0 texture { pigment { granite scale 0.5 color_map { [0 rgb <0.62, 0.54, 0.40>] [1 rgb <0.78, 0.70, 0.55>] } } normal { granite 0.3 scale 0.3 } } }
  difference { plane { y, 0.02 } box { <-7.5, -1, -7.5>, <7.5, 1, 7.5> } texture { pigment { bozo scale 0.3 color_map { [0 rgb <0.10, 0.22, 0.04>] [1 rgb <0.22, 0.34, 0.08>] } } normal { bumps 0.8 scale 0.1 } } }
  // the ball's way as cells (column, row), dead ends and all
  #declare Way = array[15] {
    <7, 6>, <7, 7>, <7, 8>, <7, 9>, <8, 9>, <9, 9>, <9, 8>, <9, 7>, <10, 7>, <11, 7>, <12, 7>, <13, 7>, <13, 6>, <13, 5>, <13, 4>
  }
  #declare Back = (Part > 0 ? 1 - T : T);
  #declare At = Back * 13.99; #declare C = int(At); #declare F = At - C;
  #declare P = Way[C] * (1 - F) + Way[C + 1] * F;
  sphere { <P.x - 7, 0.44, 7 - P.y>, 0.42 texture { pigment { rgb <0.80, 0.03, 0.03> } finish { specular 0.8 roughness 0.01 reflection { 0.02, 0.2 falloff 3 } } } }
  camera { location <-1.5 + Part * 3, 15 - 2.5 * Part, -14 + T> up y * 16 right x * 9 look_at <1.2, 0, -0.6> angle 45 - 6 * Part }
  light_source { <-30, 30, -10> rgb <1.0, 0.92, 0.76> * 1.35 area_light x * 4, z * 4, 3, 3 adaptive 1 }
  light_source { <20, 40, -30> rgb <0.25, 0.30, 0.38> * 0.8 shadowless }
  sky_sphere { pigment { gradient y color_map { [0 rgb <0.75, 0.84, 0.93>] [1 rgb <0.25, 0.45, 0.78>] } } }
#end
