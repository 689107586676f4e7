/* Random play of Thief of Baghdad, standard variant, in C99: the yardstick for the engine.
 *
 *     cc -O2 -o list plain.c           legal moves as a list of numbers
 *     cc -O2 -DROWS -o rows plain.c    legal moves as rows of bits, the engine's own method
 *     ./list PLAYERS STEPS A B C D     A to D: the state of the generator
 *
 * Rules, numbers of actions, order of draws and generator are the engine's, so both play the very
 * same games. One line of JSON comes out: steps, games ended, seconds of the loop alone, and
 * FNV-1a (64 bits) over the position after the last step. */
#define _POSIX_C_SOURCE 199309L
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PALACES = 6, SEATS = 4, NEUTRAL = 4, OWNERS = 5, DANCER = 6, CARDS = 7 };
enum { GUARD_FIELDS = 4, THIEF_ACTIONS = 3, HEAVIEST_CHEST = 7, FIRST_HAND = 6 };
enum { PLACING, DEALING, TURN, DRAWING, OVER };
enum { PLACE, END, PASS, SMUGGLE, MOVE, CARRY, MOVE_NEUTRAL };

/* First numbers of the groups of actions. 6 to 11 belong to the tactical variant. */
enum { END_TURN = 12, PASS_CARDS = 13, PASS_WITH_DANCER = 14, SMUGGLES = 15, PAIRS = 30 };
enum { MOVES = SMUGGLES + 54, CARRIES = MOVES + 3 * PAIRS, NEUTRALS = CARRIES + 3 * PAIRS };
enum { ACTIONS = NEUTRALS + 4 * PAIRS };

static const int GUARDS_OF_A_PLAYER[] = {0, 0, 4, 3, 2};
static const int CHESTS_TO_WIN[] = {0, 0, 6, 5, 4};
static const int SMUGGLE_PLACE[] = {0, 0, 12, 30}; /* by cost */

typedef struct {
    int8_t guards[PALACES][OWNERS], thieves[PALACES][SEATS], chests[PALACES];
    int8_t hands[SEATS][CARDS], deck[PALACES], discard[PALACES], dancers;
    int8_t stock[SEATS], loot[SEATS]; /* the checksum covers all up to here */
    int8_t unplaced[SEATS];
    int8_t players, phase, seat, acted, thief_actions, due, idle, winner;
    int32_t turn;
} State;

typedef struct {
    int8_t kind, palace, to, pays, pays_to, dancers;
} Action;

static Action actions[ACTIONS];

static int pair_place(int palace, int to) { return 5 * palace + to - (to > palace); }

static void make_actions(void) {
    static const int8_t prices[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0},
                                       {0, 0, 1}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}, {0, 0, 2}};
    actions[END_TURN] = (Action){.kind = END};
    actions[PASS_CARDS] = (Action){.kind = PASS};
    actions[PASS_WITH_DANCER] = (Action){.kind = PASS, .dancers = -1};
    for (int palace = 0; palace < PALACES; palace++) {
        actions[palace] = (Action){.kind = PLACE, .palace = palace};
        for (int cost = 1; cost <= 3; cost++)
            for (int paid = 0; paid <= cost; paid++)
                actions[SMUGGLES + SMUGGLE_PLACE[cost] + 6 * paid + palace] =
                    (Action){SMUGGLE, palace, palace, cost - paid, 0, paid};
        for (int to = 0; to < PALACES; to++) {
            if (to == palace) continue;
            int place = pair_place(palace, to);
            for (int i = 0; i < 10; i++) {
                int kind = i < 3 ? MOVE : i < 6 ? CARRY : MOVE_NEUTRAL;
                const int8_t *p = prices[i];
                actions[MOVES + i * PAIRS + place] = (Action){kind, palace, to, p[0], p[1], p[2]};
            }
        }
    }
}

static State new_state(int players) {
    State state = {.dancers = 8, .players = players, .phase = PLACING, .winner = -1};
    for (int palace = 0; palace < PALACES; palace++) {
        state.guards[palace][NEUTRAL] = 1;
        state.chests[palace] = 4;
        state.deck[palace] = 17;
    }
    for (int seat = 0; seat < players; seat++) {
        state.stock[seat] = 12;
        state.unplaced[seat] = GUARDS_OF_A_PLAYER[players];
    }
    return state;
}

/* Chance: xoshiro128++ and Lemire's way to a number below a bound. */

typedef struct {
    uint32_t a, b, c, d;
} Rng;

static uint32_t rotated(uint32_t value, int by) { return value << by | value >> (32 - by); }

static uint32_t next_number(Rng *rng) {
    uint32_t number = rotated(rng->a + rng->d, 7) + rng->a, shifted = rng->b << 9;
    rng->c ^= rng->a;
    rng->d ^= rng->b;
    rng->b ^= rng->c;
    rng->a ^= rng->d;
    rng->c ^= shifted;
    rng->d = rotated(rng->d, 11);
    return number;
}

static uint32_t below(Rng *rng, uint32_t bound) {
    uint64_t product = (uint64_t)next_number(rng) * bound;
    if ((uint32_t)product < bound) {
        uint32_t unfair = -bound % bound;
        while ((uint32_t)product < unfair) product = (uint64_t)next_number(rng) * bound;
    }
    return product >> 32;
}

/* Legal moves. */

static int guards_at(const State *state, int palace) {
    int guards = 0;
    for (int owner = 0; owner < OWNERS; owner++) guards += state->guards[palace][owner];
    return guards;
}

#ifndef ROWS

/* Add the moves of a row: from each palace of one set to each other one of another set. */
static int add_row(int16_t *moves, int count, int row, const int8_t *from, const int8_t *to) {
    for (int palace = 0; palace < PALACES; palace++)
        if (from[palace])
            for (int other = 0; other < PALACES; other++) {
                moves[count] = row + pair_place(palace, other);
                count += to[other] && other != palace; /* faster than to branch */
            }
    return count;
}

/* The numbers of the legal actions in ascending order; returns how many. */
static int legal_moves(const State *state, int16_t *moves) {
    int count = 0, guards[PALACES];
    for (int palace = 0; palace < PALACES; palace++) guards[palace] = guards_at(state, palace);
    if (state->phase == PLACING) {
        for (int palace = 0; palace < PALACES; palace++)
            if (guards[palace] < GUARD_FIELDS) moves[count++] = palace;
        return count;
    }

    int seat = state->seat, thief_may_act = state->thief_actions < THIEF_ACTIONS;
    const int8_t *hand = state->hands[seat];
    int dancers = hand[DANCER];
    if (state->acted) {
        moves[count++] = END_TURN;
    } else {
        moves[count++] = PASS_CARDS;
        if (state->dancers > 0) moves[count++] = PASS_WITH_DANCER;
    }

    if (thief_may_act && state->stock[seat] > 0)
        for (int cost = 1; cost <= 3; cost++)
            for (int paid = 0; paid <= cost && paid <= dancers; paid++)
                for (int palace = 0; palace < PALACES; palace++) {
                    int own = state->guards[palace][seat];
                    if (own > 0 && guards[palace] - own == cost && cost - paid <= hand[palace])
                        moves[count++] = SMUGGLES + SMUGGLE_PLACE[cost] + 6 * paid + palace;
                }

    /* Palaces that a guard can go to and that one can leave; and those with a card to pay. */
    int8_t to[PALACES], to_paid[PALACES], own[PALACES], own_paid[PALACES];
    int8_t carry[PALACES], carry_paid[PALACES], neutral[PALACES], neutral_paid[PALACES];
    for (int palace = 0; palace < PALACES; palace++) {
        int paid = hand[palace] > 0;
        to[palace] = guards[palace] < GUARD_FIELDS;
        own[palace] = state->guards[palace][seat] > 0;
        carry[palace] = own[palace] && thief_may_act && state->thieves[palace][seat] > 0;
        neutral[palace] = state->guards[palace][NEUTRAL] > 0;
        to_paid[palace] = to[palace] && paid;
        own_paid[palace] = own[palace] && paid;
        carry_paid[palace] = carry[palace] && paid;
        neutral_paid[palace] = neutral[palace] && paid;
    }
    count = add_row(moves, count, MOVES, own_paid, to);
    count = add_row(moves, count, MOVES + PAIRS, own, to_paid);
    if (dancers > 0) count = add_row(moves, count, MOVES + 2 * PAIRS, own, to);
    count = add_row(moves, count, CARRIES, carry_paid, to);
    count = add_row(moves, count, CARRIES + PAIRS, carry, to_paid);
    if (dancers > 0) count = add_row(moves, count, CARRIES + 2 * PAIRS, carry, to);
    count = add_row(moves, count, NEUTRALS, neutral_paid, to_paid);
    if (dancers > 0) {
        count = add_row(moves, count, NEUTRALS + PAIRS, neutral, to_paid);
        count = add_row(moves, count, NEUTRALS + 2 * PAIRS, neutral_paid, to);
    }
    if (dancers > 1) count = add_row(moves, count, NEUTRALS + 3 * PAIRS, neutral, to);
    return count;
}

static int random_move(const State *state, Rng *rng) {
    int16_t moves[ACTIONS];
    return moves[below(rng, legal_moves(state, moves))];
}

#else

enum { SETUP_ROW, SMUGGLE_ROW, MOVE_ROW, CARRY_ROW = 5, NEUTRAL_ROW = 8, ROW_COUNT = 12 };
static const int16_t ROW_START[] = {0, 15, 69, 99, 129, 159, 189, 219, 249, 279, 309, 339};
static const int64_t SIXES[] = {0, 1, 0x41, 0x1041, 0x41041}; /* every sixth bit, 0 to 4 of them */
static int64_t leaving[PALACES], entering[PALACES]; /* the ways from and to a palace */

static void make_ways(void) {
    for (int palace = 0; palace < PALACES; palace++)
        for (int to = 0; to < PALACES; to++) {
            if (to == palace) continue;
            leaving[palace] |= INT64_C(1) << pair_place(palace, to);
            entering[to] |= INT64_C(1) << pair_place(palace, to);
        }
}

/* How many bits are set. Compilers with leave to use the instruction recognise it. */
static int ones(uint64_t bits) {
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return bits * 0x0101010101010101 >> 56;
}

/* All bits or none: some compilers would branch otherwise, and that is much slower. */
static int64_t all_if(int yes) { return -(int64_t)yes; }

static void legal_rows(const State *state, int64_t *rows) {
    memset(rows, 0, ROW_COUNT * sizeof *rows);
    if (state->phase == PLACING) {
        for (int palace = 0; palace < PALACES; palace++)
            if (guards_at(state, palace) < GUARD_FIELDS) rows[SETUP_ROW] |= 1 << palace;
        return;
    }
    int seat = state->seat, thief_may_act = state->thief_actions < THIEF_ACTIONS;
    int may_smuggle = thief_may_act && state->stock[seat] > 0;
    const int8_t *hand = state->hands[seat];
    int dancers = hand[DANCER];
    int64_t free = 0, own = 0, neutral = 0, thief = 0, pay_leaving = 0, pay_entering = 0;
    int64_t smuggle = 0, pay_dancer = all_if(dancers > 0);
    for (int palace = 0; palace < PALACES; palace++) {
        int guards = guards_at(state, palace), own_guards = state->guards[palace][seat];
        int cards = hand[palace], foreign = guards - own_guards;
        free |= all_if(guards < GUARD_FIELDS) & entering[palace];
        own |= all_if(own_guards > 0) & leaving[palace];
        neutral |= all_if(state->guards[palace][NEUTRAL] > 0) & leaving[palace];
        thief |= all_if(state->thieves[palace][seat] > 0) & leaving[palace];
        pay_leaving |= all_if(cards > 0) & leaving[palace];
        pay_entering |= all_if(cards > 0) & entering[palace];
        int least = foreign > cards ? foreign - cards : 0; /* dancers to pay */
        int most = foreign < dancers ? foreign : dancers;
        if (own_guards > 0 && foreign > 0 && least <= most)
            smuggle |= (SIXES[most + 1] - SIXES[least]) << (SMUGGLE_PLACE[foreign] + palace);
    }
    rows[SMUGGLE_ROW] = may_smuggle ? smuggle : 0;
    own &= free;
    rows[MOVE_ROW] = own & pay_leaving;
    rows[MOVE_ROW + 1] = own & pay_entering;
    rows[MOVE_ROW + 2] = own & pay_dancer;
    if (thief_may_act) {
        own &= thief;
        rows[CARRY_ROW] = own & pay_leaving;
        rows[CARRY_ROW + 1] = own & pay_entering;
        rows[CARRY_ROW + 2] = own & pay_dancer;
    }
    neutral &= free;
    rows[NEUTRAL_ROW] = neutral & pay_leaving & pay_entering;
    rows[NEUTRAL_ROW + 1] = neutral & pay_dancer & pay_entering;
    rows[NEUTRAL_ROW + 2] = neutral & pay_leaving & pay_dancer;
    rows[NEUTRAL_ROW + 3] = neutral & all_if(dancers > 1);
    if (state->acted)
        rows[SETUP_ROW] = 1 << END_TURN;
    else
        rows[SETUP_ROW] = 1 << PASS_CARDS | (state->dancers > 0 ? 1 << PASS_WITH_DANCER : 0);
}

static int random_move(const State *state, Rng *rng) {
    int64_t rows[ROW_COUNT];
    legal_rows(state, rows);
    int count = 0, row = 0, here;
    for (int i = 0; i < ROW_COUNT; i++) count += ones(rows[i]);
    int n = below(rng, count);
    for (; n >= (here = ones(rows[row])); row++) n -= here;
    int64_t bits = rows[row];
    while (n--) bits &= bits - 1;
    return ROW_START[row] + ones((bits & -bits) - 1);
}

#endif

/* What a step does. */

static void end_turn(State *state, int cards) {
    int there = 0;
    for (int card = 0; card < PALACES; card++) there += state->deck[card] + state->discard[card];
    state->due = cards < there ? cards : there;
    if (state->acted) state->idle = 0;
    state->phase = DRAWING;
}

static void arrive(State *state, int palace) {
    int seat = state->seat, chests = state->chests[palace];
    int needed = chests > 0 ? HEAVIEST_CHEST + 1 - chests : 127;
    state->thief_actions++;
    if (++state->thieves[palace][seat] < needed) return;
    state->thieves[palace][seat] -= needed;
    state->stock[seat] += needed;
    state->chests[palace]--;
    if (++state->loot[seat] >= CHESTS_TO_WIN[state->players]) {
        state->winner = seat;
        state->phase = OVER;
    }
}

static void play(State *state, int number) {
    const Action *action = &actions[number];
    int seat = state->seat, owner = action->kind == MOVE_NEUTRAL ? NEUTRAL : seat;
    if (action->kind == PLACE) {
        state->guards[action->palace][seat]++;
        state->unplaced[seat]--;
        state->seat = (seat + 1) % state->players;
        if (state->unplaced[state->seat] == 0) {
            state->phase = DEALING;
            state->due = FIRST_HAND;
        }
        return;
    }
    if (action->kind == END) {
        end_turn(state, 3);
        return;
    }
    state->hands[seat][DANCER] -= action->dancers;
    state->dancers += action->dancers;
    if (action->kind == PASS) {
        end_turn(state, 4 + action->dancers);
        state->idle = state->due - action->dancers == 0 ? state->idle + 1 : 0;
        return;
    }
    state->acted = 1;
    state->hands[seat][action->palace] -= action->pays;
    state->discard[action->palace] += action->pays;
    state->hands[seat][action->to] -= action->pays_to;
    state->discard[action->to] += action->pays_to;
    if (action->kind == SMUGGLE) {
        state->stock[seat]--;
        arrive(state, action->palace);
        return;
    }
    state->guards[action->palace][owner]--;
    state->guards[action->to][owner]++;
    if (action->kind == CARRY) {
        state->thieves[action->palace][seat]--;
        arrive(state, action->to);
    }
}

/* An empty stack is made anew of the discard pile (R24); says how many cards it has then. */
static int refill(State *state) {
    int size = 0;
    for (int i = 0; i < PALACES; i++) size += state->deck[i];
    if (size == 0) {
        for (int i = 0; i < PALACES; i++) size += state->discard[i];
        memcpy(state->deck, state->discard, sizeof state->deck);
        memset(state->discard, 0, sizeof state->discard);
    }
    return size;
}

static void deal(State *state, Rng *rng) {
    int size = refill(state);
    for (; state->due > 0; state->due--) {
        int card = 0, n = below(rng, size);
        for (int i = 0; i < PALACES - 1; i++) card += (n -= state->deck[i]) >= 0;
        state->deck[card]--;
        state->hands[state->seat][card]++;
        if (--size == 0) size = refill(state);
    }
    state->seat = (state->seat + 1) % state->players;
    if (state->phase == DEALING) {
        if (state->seat > 0)
            state->due = FIRST_HAND + state->seat;
        else
            state->phase = TURN;
        return;
    }
    state->acted = state->thief_actions = 0;
    state->turn++;
    state->phase = state->idle >= state->players ? OVER : TURN;
}

static int64_t random_steps(State *state, const State *start, Rng *rng, int64_t steps) {
    int64_t games = 0;
    for (int64_t i = 0; i < steps; i++) {
        if (state->phase == DRAWING || state->phase == DEALING)
            deal(state, rng);
        else
            play(state, random_move(state, rng));
        if (state->phase == OVER) {
            games++;
            *state = *start;
        }
    }
    return games;
}

static uint64_t checksum(const State *state) {
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    const uint8_t *bytes = (const uint8_t *)state;
    for (size_t i = 0; i < offsetof(State, unplaced); i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001B3);
    return hash;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

int main(int count, char **words) {
    int players = count == 7 ? atoi(words[1]) : 0;
    if (players < 2 || players > 4) {
        fprintf(stderr, "usage: %s PLAYERS STEPS A B C D\n", words[0]);
        return 2;
    }
    int64_t steps = atoll(words[2]);
    Rng rng = {strtoul(words[3], NULL, 10), strtoul(words[4], NULL, 10),
               strtoul(words[5], NULL, 10), strtoul(words[6], NULL, 10)};
    make_actions();
#ifdef ROWS
    make_ways();
#endif
    State start = new_state(players), state = start;
    double began = now();
    int64_t games = random_steps(&state, &start, &rng, steps);
    double seconds = now() - began;
    printf("{\"steps\": %" PRId64 ", \"games\": %" PRId64 ", \"seconds\": %.9f, "
           "\"checksum\": \"%016" PRIx64 "\"}\n", steps, games, seconds, checksum(&state));
    return 0;
}
