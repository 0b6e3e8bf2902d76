// On a bare stage a figure wears a smiling mask; it takes the mask down and stands there without a face.
#include "common.inc"
#include "figures.inc"

#declare T = clock;
#declare Down = (Shot = 0 ? 0 : Ease(0.15, 0.75, T));
#if (Shot = 0)
  camera { location <-1.6 + 1.2 * T, 8.7, -6.0> up y * 16 right x * 9 look_at <0, 8.35, -0.4> angle 29 }
#else
  camera { location <1.4, 7.6, -11.5> up y * 16 right x * 9 look_at <0, 6.9, 0> angle 42 }
#end

// the mask: the front half of an egg, with holes for the eyes, brows, a nose and a painted smile
#declare Porcelain = texture { pigment { rgb <0.93, 0.91, 0.86> } finish { diffuse 0.8 specular 0.6 roughness 0.01 reflection { 0.01, 0.2 falloff 4 } } }
#declare Gold = texture { Brass pigment { rgb <0.90, 0.62, 0.20> } finish { diffuse 0.5 specular 0.8 roughness 0.02 metallic reflection { 0.2 metallic } } }
#declare Egg = sphere { 0, 1 scale <1.0, 1.38, 0.72> }
#macro Eye(S)
  sphere { 0, 1 scale <0.27, 0.14, 1> rotate z * S * 10 translate <S * 0.40, 0.22, -0.6> }
#end
#declare Mask = union {
  difference {
    merge {
      object { Egg }
      sphere_sweep { cubic_spline 5 <0, 0.5, -0.6>, 0.1, <0, 0.35, -0.66>, 0.12, <0, 0.0, -0.78>, 0.15, <0, -0.22, -0.82>, 0.18, <0, -0.35, -0.6>, 0.1 tolerance 0.01 }
      sphere { 0, 1 scale <0.36, 0.26, 0.25> translate <0.50, -0.28, -0.50> }
      sphere { 0, 1 scale <0.36, 0.26, 0.25> translate <-0.50, -0.28, -0.50> }
      sphere { 0, 0.28 scale <1, 0.7, 0.8> translate <0, -1.10, -0.40> }
    }
    object { Egg scale 0.93 }
    plane { -z, 0 }
    Eye(1) Eye(-1)
    texture { Porcelain }
  }
  difference {  // gilt around the eyes
    union { object { Eye(1) scale <1.0, 1.0, 1> } object { Eye(-1) } scale <1.15, 1.32, 1> translate <0, -0.07, 0> }
    object { Egg scale 1.012 inverse }
    object { Egg scale 0.985 }
    Eye(1) Eye(-1)
    texture { Gold }
  }
  #declare S = -1;
  #while (S < 2)
    sphere_sweep { cubic_spline 5 <S * 0.05, 0.40, -0.7>, 0.04, <S * 0.18, 0.56, -0.655>, 0.045, <S * 0.45, 0.70, -0.56>, 0.055, <S * 0.70, 0.58, -0.44>, 0.035, <S * 0.85, 0.4, -0.3>, 0.02 tolerance 0.01 texture { Gold } }
    sphere { 0, 1 scale <0.17, 0.15, 0.05> rotate y * S * -38 translate <S * 0.60, -0.26, -0.70> pigment { rgb <0.75, 0.20, 0.18> } }
    #declare S = S + 2;
  #end
  sphere_sweep {  // the smile
    cubic_spline 7
    <-0.62, -0.40, -0.50>, 0.03, <-0.48, -0.56, -0.60>, 0.045, <-0.26, -0.72, -0.635>, 0.085, <0, -0.78, -0.64>, 0.10,
    <0.26, -0.72, -0.635>, 0.085, <0.48, -0.56, -0.60>, 0.045, <0.62, -0.40, -0.50>, 0.03
    tolerance 0.01 pigment { rgb <0.62, 0.03, 0.05> } finish { specular 0.6 roughness 0.02 }
  }
  sphere_sweep {
    cubic_spline 6
    <-0.5, -0.52, -0.62>, 0.012, <-0.40, -0.60, -0.68>, 0.012, <-0.15, -0.74, -0.725>, 0.02, <0.15, -0.74, -0.725>, 0.02, <0.40, -0.60, -0.68>, 0.012, <0.5, -0.52, -0.62>, 0.012
    tolerance 0.01 pigment { rgb 0.02 }
  }
  torus { 1.0, 0.05 rotate x * 90 scale <1, 1.38, 1> texture { Gold } }
  #declare I = 0;
  #while (I < 9)  // a diadem of gilt leaves
    #declare A = -64 + 16 * I;
    sphere { 0, 1 scale <0.13, 0.36 - 0.0014 * abs(A), 0.05> translate y * 0.30 translate <0, 1.34 - 0.005 * abs(A), 0> rotate z * -A * 0.92 texture { Gold } }
    sphere { <0, 1.42 - 0.005 * abs(A), -0.06>, 0.075 rotate z * -A * 0.92 pigment { rgb <0.55, 0.02, 0.06> } finish { specular 0.9 roughness 0.005 reflection 0.1 } }
    #declare I = I + 1;
  #end
}

#declare Worn = array[10] {
  <0, 8 * sin(T * 7) * (1 - Shot), 0>, <0, 6 * sin(T * 5 + 1) * (1 - Shot), 7 * sin(T * 6) * (1 - Shot)>, <4, 0, 9>, <12, 0, 0>,
  <52, 0, -16>, <96, 0, 34>, <0, 0, 3>, 0 * x, <0, 0, -3>, 0 * x
}
#declare Bare = array[10] {
  <-6, 0, 0>, <-26, 0, 0>, <2, 0, 8>, <8, 0, 0>, <12, 0, -16>, <48, 0, 10>, <0, 0, 3>, 0 * x, <0, 0, -3>, 0 * x
}
#declare Pose = Blend(Worn, Bare, Down)
#declare Hips = y * (Hip_Height(0, 0) + 0.2);
object { Figure(Pose) translate Hips }
#declare Face = Hips + vrotate(vrotate(<0, 0.62, -0.32>, Pose[1]) + y * 2.85, Pose[0]);
#declare Palm = Hips + vrotate(vrotate(vrotate(y * -1.85, Pose[5]) + y * -1.5, Pose[4]) + <-1.12, 2.1, 0>, Pose[0]);
object {
  Mask scale 0.68
  rotate Pose[1] * (1 - Down) + <18, -22, 16> * Down
  rotate Pose[0] * (1 - Down)
  translate Between(Face, Palm + <0.35, 0.5, -0.25>, Ramp(0, 0.35, Down))
}

object { Curtain(-13, 13, 4.5, 26, <0.06, 0.09, 0.26>, 0.3 * sin(T * 3)) }
object { Board_Floor(0, <0.36, 0.22, 0.12>, <0.22, 0.12, 0.06>) }
light_source {
  <-5, 19, -15> rgb <1.0, 0.93, 0.80> * Between(1.8, 1.35, Down)
  spotlight point_at <0, 6.5, 0> radius 11 falloff 20 area_light x * 1.5, y * 1.5, 3, 3 adaptive 1
}
light_source { <10, 9, -14> rgb <0.45, 0.50, 0.70> * 0.5 shadowless }
