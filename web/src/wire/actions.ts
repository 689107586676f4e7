// Made by tools/wire_types.py from the engine's action table; not to be edited.
import type { CardKind, Palace } from './names'

/** A decision of the game. */
export interface Action {
  /** In the action table: what server and page call it. */
  number: number
  /** What a game record calls it. */
  token: string
  kind: 'place' | 'place_neutral' | 'end' | 'pass' | 'smuggle' | 'move' | 'carry' | 'move_neutral' | 'name'
  /** The palace that is left. */
  from: Palace | null
  /** The palace where something arrives. */
  to: Palace | null
  /** Whose guard it brings there. */
  guard: 'own' | 'neutral' | null
  /** Whether it brings a thief there: alone (R12), or along with the guard (R14). */
  thief: boolean
  price: readonly CardKind[]
  /** The turn is over with it. */
  ends: boolean
  /** What is drawn besides: a dancer, or a card of the palace that was named (R23). */
  takes: CardKind | null
}

/**
 * The actions of a kind: what they have in common; a word for each; in the same order the letters
 * of where from, where to and what is drawn besides; and the prices. It is loaded four times.
 */
type Shared = [Action['kind'], Action['guard'], thief: boolean, ends: boolean]
type Columns = [tokens: string, from: string, to: string, takes: string, prices: string]
const NONE = '-'
const TABLE: readonly [...Shared, ...Columns][] = [
  ['place', 'own', false, false, '@R @G @W @P @Y @B', '------', 'RGWPYB', '------', '- - - - - -'],
  ['place_neutral', 'neutral', false, false, '@nR @nG @nW @nP @nY @nB', '------', 'RGWPYB', '------', '- - - - - -'],
  ['end', null, false, true, '.', '-', '-', '-', '-'],
  ['pass', null, false, true, '- -*', '--', '--', '-*', '- -'],
  ['smuggle', null, true, false, '+R(R) +G(G) +W(W) +P(P) +Y(Y) +B(B) +R(*) +G(*) +W(*) +P(*) +Y(*) +B(*) +R(RR) +G(GG) +W(WW) +P(PP) +Y(YY) +B(BB) +R(R*) +G(G*) +W(W*) +P(P*) +Y(Y*) +B(B*) +R(**) +G(**) +W(**) +P(**) +Y(**) +B(**) +R(RRR) +G(GGG) +W(WWW) +P(PPP) +Y(YYY) +B(BBB) +R(RR*) +G(GG*) +W(WW*) +P(PP*) +Y(YY*) +B(BB*) +R(R**) +G(G**) +W(W**) +P(P**) +Y(Y**) +B(B**) +R(***) +G(***) +W(***) +P(***) +Y(***) +B(***)', '------------------------------------------------------', 'RGWPYBRGWPYBRGWPYBRGWPYBRGWPYBRGWPYBRGWPYBRGWPYBRGWPYB', '------------------------------------------------------', 'R G W P Y B * * * * * * RR GG WW PP YY BB R* G* W* P* Y* B* ** ** ** ** ** ** RRR GGG WWW PPP YYY BBB RR* GG* WW* PP* YY* BB* R** G** W** P** Y** B** *** *** *** *** *** ***'],
  ['move', 'own', false, false, 'R>G(R) R>W(R) R>P(R) R>Y(R) R>B(R) G>R(G) G>W(G) G>P(G) G>Y(G) G>B(G) W>R(W) W>G(W) W>P(W) W>Y(W) W>B(W) P>R(P) P>G(P) P>W(P) P>Y(P) P>B(P) Y>R(Y) Y>G(Y) Y>W(Y) Y>P(Y) Y>B(Y) B>R(B) B>G(B) B>W(B) B>P(B) B>Y(B) R>G(G) R>W(W) R>P(P) R>Y(Y) R>B(B) G>R(R) G>W(W) G>P(P) G>Y(Y) G>B(B) W>R(R) W>G(G) W>P(P) W>Y(Y) W>B(B) P>R(R) P>G(G) P>W(W) P>Y(Y) P>B(B) Y>R(R) Y>G(G) Y>W(W) Y>P(P) Y>B(B) B>R(R) B>G(G) B>W(W) B>P(P) B>Y(Y) R>G(*) R>W(*) R>P(*) R>Y(*) R>B(*) G>R(*) G>W(*) G>P(*) G>Y(*) G>B(*) W>R(*) W>G(*) W>P(*) W>Y(*) W>B(*) P>R(*) P>G(*) P>W(*) P>Y(*) P>B(*) Y>R(*) Y>G(*) Y>W(*) Y>P(*) Y>B(*) B>R(*) B>G(*) B>W(*) B>P(*) B>Y(*)', 'RRRRRGGGGGWWWWWPPPPPYYYYYBBBBBRRRRRGGGGGWWWWWPPPPPYYYYYBBBBBRRRRRGGGGGWWWWWPPPPPYYYYYBBBBB', 'GWPYBRWPYBRGPYBRGWYBRGWPBRGWPYGWPYBRWPYBRGPYBRGWYBRGWPBRGWPYGWPYBRWPYBRGPYBRGWYBRGWPBRGWPY', '------------------------------------------------------------------------------------------', 'R R R R R G G G G G W W W W W P P P P P Y Y Y Y Y B B B B B G W P Y B R W P Y B R G P Y B R G W Y B R G W P B R G W P Y * * * * * * * * * * * * * * * * * * * * * * * * * * * * * *'],
  ['carry', 'own', true, false, 'R>>G(R) R>>W(R) R>>P(R) R>>Y(R) R>>B(R) G>>R(G) G>>W(G) G>>P(G) G>>Y(G) G>>B(G) W>>R(W) W>>G(W) W>>P(W) W>>Y(W) W>>B(W) P>>R(P) P>>G(P) P>>W(P) P>>Y(P) P>>B(P) Y>>R(Y) Y>>G(Y) Y>>W(Y) Y>>P(Y) Y>>B(Y) B>>R(B) B>>G(B) B>>W(B) B>>P(B) B>>Y(B) R>>G(G) R>>W(W) R>>P(P) R>>Y(Y) R>>B(B) G>>R(R) G>>W(W) G>>P(P) G>>Y(Y) G>>B(B) W>>R(R) W>>G(G) W>>P(P) W>>Y(Y) W>>B(B) P>>R(R) P>>G(G) P>>W(W) P>>Y(Y) P>>B(B) Y>>R(R) Y>>G(G) Y>>W(W) Y>>P(P) Y>>B(B) B>>R(R) B>>G(G) B>>W(W) B>>P(P) B>>Y(Y) R>>G(*) R>>W(*) R>>P(*) R>>Y(*) R>>B(*) G>>R(*) G>>W(*) G>>P(*) G>>Y(*) G>>B(*) W>>R(*) W>>G(*) W>>P(*) W>>Y(*) W>>B(*) P>>R(*) P>>G(*) P>>W(*) P>>Y(*) P>>B(*) Y>>R(*) Y>>G(*) Y>>W(*) Y>>P(*) Y>>B(*) B>>R(*) B>>G(*) B>>W(*) B>>P(*) B>>Y(*)', 'RRRRRGGGGGWWWWWPPPPPYYYYYBBBBBRRRRRGGGGGWWWWWPPPPPYYYYYBBBBBRRRRRGGGGGWWWWWPPPPPYYYYYBBBBB', 'GWPYBRWPYBRGPYBRGWYBRGWPBRGWPYGWPYBRWPYBRGPYBRGWYBRGWPBRGWPYGWPYBRWPYBRGPYBRGWYBRGWPBRGWPY', '------------------------------------------------------------------------------------------', 'R R R R R G G G G G W W W W W P P P P P Y Y Y Y Y B B B B B G W P Y B R W P Y B R G P Y B R G W Y B R G W P B R G W P Y * * * * * * * * * * * * * * * * * * * * * * * * * * * * * *'],
  ['move_neutral', 'neutral', false, false, 'nR>G(RG) nR>W(RW) nR>P(RP) nR>Y(RY) nR>B(RB) nG>R(GR) nG>W(GW) nG>P(GP) nG>Y(GY) nG>B(GB) nW>R(WR) nW>G(WG) nW>P(WP) nW>Y(WY) nW>B(WB) nP>R(PR) nP>G(PG) nP>W(PW) nP>Y(PY) nP>B(PB) nY>R(YR) nY>G(YG) nY>W(YW) nY>P(YP) nY>B(YB) nB>R(BR) nB>G(BG) nB>W(BW) nB>P(BP) nB>Y(BY) nR>G(*G) nR>W(*W) nR>P(*P) nR>Y(*Y) nR>B(*B) nG>R(*R) nG>W(*W) nG>P(*P) nG>Y(*Y) nG>B(*B) nW>R(*R) nW>G(*G) nW>P(*P) nW>Y(*Y) nW>B(*B) nP>R(*R) nP>G(*G) nP>W(*W) nP>Y(*Y) nP>B(*B) nY>R(*R) nY>G(*G) nY>W(*W) nY>P(*P) nY>B(*B) nB>R(*R) nB>G(*G) nB>W(*W) nB>P(*P) nB>Y(*Y) nR>G(R*) nR>W(R*) nR>P(R*) nR>Y(R*) nR>B(R*) nG>R(G*) nG>W(G*) nG>P(G*) nG>Y(G*) nG>B(G*) nW>R(W*) nW>G(W*) nW>P(W*) nW>Y(W*) nW>B(W*) nP>R(P*) nP>G(P*) nP>W(P*) nP>Y(P*) nP>B(P*) nY>R(Y*) nY>G(Y*) nY>W(Y*) nY>P(Y*) nY>B(Y*) nB>R(B*) nB>G(B*) nB>W(B*) nB>P(B*) nB>Y(B*) nR>G(**) nR>W(**) nR>P(**) nR>Y(**) nR>B(**) nG>R(**) nG>W(**) nG>P(**) nG>Y(**) nG>B(**) nW>R(**) nW>G(**) nW>P(**) nW>Y(**) nW>B(**) nP>R(**) nP>G(**) nP>W(**) nP>Y(**) nP>B(**) nY>R(**) nY>G(**) nY>W(**) nY>P(**) nY>B(**) nB>R(**) nB>G(**) nB>W(**) nB>P(**) nB>Y(**)', 'RRRRRGGGGGWWWWWPPPPPYYYYYBBBBBRRRRRGGGGGWWWWWPPPPPYYYYYBBBBBRRRRRGGGGGWWWWWPPPPPYYYYYBBBBBRRRRRGGGGGWWWWWPPPPPYYYYYBBBBB', 'GWPYBRWPYBRGPYBRGWYBRGWPBRGWPYGWPYBRWPYBRGPYBRGWYBRGWPBRGWPYGWPYBRWPYBRGPYBRGWYBRGWPBRGWPYGWPYBRWPYBRGPYBRGWYBRGWPBRGWPY', '------------------------------------------------------------------------------------------------------------------------', 'RG RW RP RY RB GR GW GP GY GB WR WG WP WY WB PR PG PW PY PB YR YG YW YP YB BR BG BW BP BY *G *W *P *Y *B *R *W *P *Y *B *R *G *P *Y *B *R *G *W *Y *B *R *G *W *P *B *R *G *W *P *Y R* R* R* R* R* G* G* G* G* G* W* W* W* W* W* P* P* P* P* P* Y* Y* Y* Y* Y* B* B* B* B* B* ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** ** **'],
  ['name', null, false, true, '-R -G -W -P -Y -B', '------', '------', 'RGWPYB', '- - - - - -'],
]

function* all(): Generator<Omit<Action, 'number'>> {
  for (const [kind, guard, thief, ends, tokens, from, to, takes, prices] of TABLE) {
    const letter = (letters: string, n: number) => (letters[n] === NONE ? null : letters[n]!)
    const paid = prices.split(' ')
    for (const [n, token] of tokens.split(' ').entries())
      yield {
        token,
        kind,
        from: letter(from, n) as Palace | null,
        to: letter(to, n) as Palace | null,
        guard,
        thief,
        price: (paid[n] === NONE ? [] : [...paid[n]!]) as CardKind[],
        ends,
        takes: letter(takes, n) as CardKind | null,
      }
  }
}

/** The action table: every decision, by its number. */
export const ACTIONS: readonly Action[] = [...all()].map((each, number) => ({ number, ...each }))
