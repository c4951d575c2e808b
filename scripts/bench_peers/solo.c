// Makes games of Simon Tatham's Solo without its windows: solo PARAMS COUNT SEED. scripts/bench_variants.py compiles it.
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "puzzles.h"

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    game_params *params = thegame.default_params();
    thegame.decode_params(params, argv[1]);
    char *text = thegame.encode_params(params, true);
    for (int index = 0; index < atoi(argv[2]); index++) {
        char seed[64], *aux = NULL;
        snprintf(seed, sizeof seed, "%s%d", argv[3], index);
        random_state *state = random_new(seed, strlen(seed));
        char *game = thegame.new_desc(params, state, &aux, false);
        printf("%s:%s\n", text, game);
        sfree(game);
        sfree(aux);
        random_free(state);
    }
    return 0;
}
