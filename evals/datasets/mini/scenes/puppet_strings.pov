// A puppet dances on strings before a red curtain; the strings go slack and it falls where it stands.
#include "common.inc"
#include "figures.inc"

#declare T = clock;
#if (Shot = 0)
  camera { location <-2.5 + T, 5.5, -17> up y * 16 right x * 9 look_at <0, 5.6, 0> angle 46 }
#else
  camera { location <2.5, 3.2, -14> up y * 16 right x * 9 look_at <0, 4.2, 0> angle 50 }
#end
#declare Fall = (Shot = 0 ? 0 : Ease(0.2, 0.62, T));
#declare S = sin(T * 2 * pi * 2) * (1 - Fall);

#declare Dance = array[10] {
  <0, 12 * S, 5 * S>, <0, -15 * S, -12 * S>,
  <0, 0, 105 + 35 * S>, <0, 0, 35 - 40 * S>, <0, 0, -105 + 35 * S>, <0, 0, -35 - 40 * S>,
  <30 + 30 * S, 0, 8>, <-38 - 30 * S, 0, 0>, <30 - 30 * S, 0, -8>, <-38 + 30 * S, 0, 0>
}
#declare Fallen = array[10] {
  <-44, 10, 0>, <-48, 0, 16>,
  <38, 0, 16>, <10, 0, 0>, <42, 0, -12>, <8, 0, 0>,
  <84, -26, 0>, <-14, 0, 0>, <87, 24, 0>, <-20, 0, 0>
}
#declare Hips = <0, Between(4.1 + 0.25 * abs(S), 0.75, Fall), 0>;
#declare Pose = Blend(Dance, Fallen, Fall)
object { Figure(Pose) translate Hips }

// the strings, from the crossbar to hands, knees and head; after the cut they hang loose
#declare Bar_At = <0.35 * S, 11.2 + 0.4 * abs(S), -0.4>;
#macro Hand(Side)
  #local Sh = (Side > 0 ? Pose[2] : Pose[4]); #local El = (Side > 0 ? Pose[3] : Pose[5]);
  (Hips + vrotate(vrotate(vrotate(y * -1.6, El) + y * -1.5, Sh) + <Side * 1.12, 2.1, 0>, Pose[0]))
#end
#macro Knee(Side)
  (Hips + vrotate(y * -1.9, (Side > 0 ? Pose[6] : Pose[8])) + <Side * 0.42, -0.25, -0.2>)
#end
#declare Crown = Hips + vrotate(y * 4.1, Pose[0]);
#macro String(From, To)
  #if (Fall <= 0)
    cylinder { From, To, 0.028 }
  #else
    sphere_sweep {
      b_spline 6
      #local Q = 0;
      #while (Q < 6)
        , From + <0.35 * sin(Q * 2 + From.x + T * 8) * Fall * Q / 5, -Q * 0.95 * (1 - 0.1 * Fall), 0.2 * cos(Q * 3 + From.x) * Fall>, 0.028
        #local Q = Q + 1;
      #end
    }
  #end
#end
union {
  object { String(Bar_At + x * 2.6, Hand(1)) }
  object { String(Bar_At - x * 2.6, Hand(-1)) }
  object { String(Bar_At + <1, 0, -1>, Knee(1)) }
  object { String(Bar_At + <-1, 0, -1>, Knee(-1)) }
  object { String(Bar_At, Crown) }
  pigment { rgb 0.85 } finish { emission 0.15 }
}
union {
  box { <-2.9, -0.12, -0.25>, <2.9, 0.12, 0.25> rotate z * (5 * S) }
  box { <-0.25, -0.1, -1.9>, <0.25, 0.14, 1.4> }
  texture { Walnut rotate y * 90 } translate Bar_At
}

object { Curtain(-13, 13, 4.5, 26, <0.50, 0.015, 0.025>, 0.3 * sin(T * 3)) }
object { Curtain(-13, -5.2, 2.2, 26, <0.42, 0.012, 0.02>, 1) }
object { Curtain(5.2, 13, 2.2, 26, <0.42, 0.012, 0.02>, 2) }
object { Board_Floor(0, <0.42, 0.25, 0.12>, <0.26, 0.14, 0.06>) }

light_source {
  <-5, 22, -17> rgb <1.0, 0.93, 0.80> * 2.1
  spotlight point_at <0, 4.2, 1> radius 12 falloff 19 area_light x * 1.5, y * 1.5, 3, 3 adaptive 1
}
light_source { <12, 9, -16> rgb <0.75, 0.55, 0.5> * 0.35 shadowless }
light_source { <0, 18, -24> rgb <0.5, 0.4, 0.4> * 0.45 }
