"""Why a model fails: deficiencies of its thinking by a judge, and a score without one beside them."""
