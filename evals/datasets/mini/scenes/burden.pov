// A wooden figure carries a loaded barbell on its shoulders; its knees give and its head sinks.
#include "common.inc"
#include "figures.inc"

#declare T = clock;
#declare Give = (Shot = 0 ? 0.30 * Ease(0.1, 0.9, T) : 0.30 + 0.70 * Ease(0.05, 0.85, T));
#declare Shake = 1.2 * sin(T * 95) * Give;
#if (Shot = 0)
  camera { location <-5.5 + T, 5.8, -15> up y * 9 right x * 12 look_at <0, 4.4, 0> angle 58 }
#else
  camera { location <5.5, 2.2, -13> up y * 9 right x * 12 look_at <0, 3.5, 0> angle 60 }
#end

#declare Up = array[10] {
  <-6, 0, 0>, <-6, 0, 0>, <-20, 0, 72>, <0, 0, 128>, <-20, 0, -72>, <0, 0, -128>,
  <6, 0, 8>, <-10, 0, 0>, <6, 0, -8>, <-10, 0, 0>
}
#declare Down = array[10] {
  <-50, 0, 0>, <-36, 0, 0>, <-20, 0, 72>, <0, 0, 128>, <-20, 0, -72>, <0, 0, -128>,
  <92, 0, 16>, <-112, 0, 0>, <92, 0, -16>, <-112, 0, 0>
}
#declare Pose = Blend(Up, Down, Give)
#declare Hips = <0, Hip_Height(Pose[6].x, Pose[7].x) + 0.2, 0.6 * Give>;
object { Figure(Pose) translate Hips }

#macro Disc_Weight(R, W, X, Colour)
  difference {
    merge {
      cylinder { x * (X - W), x * (X + W), R - 0.08 }
      torus { R - 0.1, 0.1 rotate z * 90 translate x * (X - W + 0.1) }
      torus { R - 0.1, 0.1 rotate z * 90 translate x * (X + W - 0.1) }
    }
    difference {
      cylinder { x * (X - W - 0.1), x * (X - W + 0.08), R * 0.78 }
      cylinder { x * (X - W - 0.2), x * (X - W + 0.2), R * 0.34 }
    }
    difference {
      cylinder { x * (X + W + 0.1), x * (X + W - 0.08), R * 0.78 }
      cylinder { x * (X + W - 0.2), x * (X + W + 0.2), R * 0.34 }
    }
    texture {
      pigment { rgb Colour }
      finish { diffuse 0.7 specular 0.6 roughness 0.02 reflection { 0.01, 0.2 falloff 3 } }
    }
  }
#end
#declare Barbell = union {
  cylinder { x * -6.3, x * 6.3, 0.13 texture { Steel } }
  #local S = -1;
  #while (S < 2)
    object { Disc_Weight(1.9, 0.26, S * 3.7, <0.025, 0.025, 0.03>) }
    object { Disc_Weight(1.9, 0.26, S * 4.3, <0.025, 0.025, 0.03>) }
    object { Disc_Weight(1.35, 0.2, S * 4.85, <0.03, 0.03, 0.035>) }
    cylinder { x * S * 3.25, x * S * 3.42, 0.3 texture { Steel } }
    cylinder { x * S * 5.1, x * S * 5.4, 0.28 texture { Steel } }
    cylinder { x * S * 5.1, x * S * 6.3, 0.2 texture { Steel } }
    #local S = S + 2;
  #end
}
object {
  Barbell rotate z * Shake
  translate Hips + vrotate(<0, 2.55, 0.62>, Pose[0])
}

// a bare gymnasium
object { Board_Floor(0, <0.55, 0.36, 0.19>, <0.40, 0.24, 0.11>) }
box {
  <-60, 0, 12>, <60, 40, 13>
  texture {
    brick texture { pigment { rgb 0.30 } }
    texture { pigment { granite scale 3 color_map { [0 rgb <0.36, 0.40, 0.42>] [1 rgb <0.50, 0.54, 0.55>] } } normal { granite 0.15 } }
    brick_size <3.2, 1.5, 2> mortar 0.12
  }
}
box { <-60, 0, 11.8>, <60, 1, 12> pigment { rgb <0.12, 0.14, 0.16> } }
#local I = 0;
#while (I < 5)  // dumb-bells on a low rack
  union {
    cylinder { x * -1.1, x * 1.1, 0.2 texture { Steel } }
    cylinder { x * -1.6, x * -0.8, 0.7 texture { Iron } }
    cylinder { x * 0.8, x * 1.6, 0.7 texture { Iron } }
    rotate y * 90 translate <-12 + 2.3 * I, 1.5, 9>
  }
  #local I = I + 1;
#end
box { <-14, 0.3, 7.6>, <-1, 0.8, 10.4> texture { Iron } }
light_source { <-9, 17, -11> rgb <1.0, 0.95, 0.86> * Between(1.35, 1.0, Give) area_light x * 3, z * 3, 3, 3 adaptive 1 }
light_source { <14, 9, -14> rgb <0.35, 0.40, 0.50> * 0.7 shadowless }
light_source { <0, 14, 7> rgb <0.7, 0.75, 0.8> * 0.45 }
