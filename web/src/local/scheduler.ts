// Sees to it that tables go on: bots think, and timers wait for people. As `server/runtime/scheduler.py`.
import { ACTIONS } from '../wire/actions'
import { sha256 } from '../wire/sha256'
import type { Actor, Scheduler } from './actor'
import type { Bots } from './bots'
import { botAnswersEnd } from './decisions/ending'
import { leaveOut, move } from './decisions/playing'
import { MoveError } from './play/errors'
import type { Game } from './play/game'
import { StaleError } from './refusals'
import type { Table } from './table'

const RETRY = 1000
/** For a device to bring its number to the deal. */
const NUMBER_WAITS = 30_000
/** A game that nobody has touched for so long is abandoned (R28). */
const ABANDONED_AFTER = 60 * 86_400_000
/** Turns of a game that bots play alone (R27). */
const MOST_TURNS = 3000
/** Timers stand still while a device sleeps, so that long ones are set in steps. */
const LONGEST_WAIT = 600_000

export class TurnScheduler implements Scheduler {
  readonly #bots: Bots
  readonly #thinking = new Set<Actor>()
  readonly #asking = new Set<Actor>()
  readonly #timers = new Map<Actor, ReturnType<typeof setTimeout>>()
  readonly #retries = new Set<Actor>()

  constructor(bots: Bots) {
    this.#bots = bots
  }

  /** Lets a bot think, or a timer wait for a person. Where nobody looks on, bots pause. */
  lookAfter(actor: Actor): void {
    const how = howOver(actor)
    if (how) {
      this.#post(actor, `end:${actor.table.number}`, () => {
        if (!howOver(actor)) throw new StaleError()
        return { event: { kind: 'ended', how } }
      })
      return
    }
    if (actor.listeners.size) {
      if (actor.table.unanswered.bots.length) this.#once(this.#asking, actor, () => this.#askBots(actor))
      if (botWaits(actor.table)) this.#once(this.#thinking, actor, () => this.#think(actor))
    }
    this.#setTimer(actor)
  }

  retryLater(actor: Actor): void {
    if (this.#retries.has(actor)) return
    this.#retries.add(actor)
    setTimeout(() => {
      this.#retries.delete(actor)
      actor.catchUp().catch(() => this.retryLater(actor))
    }, RETRY)
  }

  /** Nothing more is done for a table. */
  forget(actor: Actor): void {
    clearTimeout(this.#timers.get(actor))
    this.#timers.delete(actor)
  }

  #once(busy: Set<Actor>, actor: Actor, work: () => Promise<void>): void {
    if (busy.has(actor)) return
    busy.add(actor)
    void work()
      .catch((error: unknown) => {
        if (actor.gone) return
        console.error(error)
        this.retryLater(actor)
      })
      .finally(() => busy.delete(actor))
  }

  #post(actor: Actor, command: string, decide: Parameters<Actor['post']>[0]['decide']): void {
    actor.post({ command, decide, version: null }).catch((error: unknown) => {
      if (!(error instanceof StaleError)) this.retryLater(actor)
    })
  }

  // Bots

  async #think(actor: Actor): Promise<void> {
    while (botWaits(actor.table) && !howOver(actor) && actor.listeners.size) {
      const seat = actor.table.onTurn!
      await this.#botTurn(actor, seat, actor.table.botToAsk(seat)!, actor.table.game!)
    }
  }

  /** Lets a bot decide, and plays what it has decided, as long as nobody interferes. */
  async #botTurn(actor: Actor, seat: number, level: string, game: Game): Promise<void> {
    let base = actor.table.changed
    // Its chance: the same after a reload, unknown to opponents, and no word of the seed.
    const stream = sha256(`bot ${actor.table.seed} ${actor.table.number}`)
    const actions = await this.#bots.think(level, game.view(seat), stream)
    const play = async (action: number, instead: boolean) => {
      const at = base
      base = await actor.post({
        // Two tabs may want something else after the same time: whoever is second has to think again.
        command: `bot:${at}:${action}`,
        decide: (table) => {
          if (table.changed !== at || table.botAt(seat) === null) throw new StaleError() // the player is back
          return move(table, seat, action, { bot: true, instead })
        },
        version: null,
      })
    }
    try {
      for (const action of actions ?? [simpleAction(game)]) await play(action, !actions)
    } catch (error) {
      if (error instanceof StaleError) return
      if (!(error instanceof MoveError)) throw error
      console.warn(`a bot wanted what is illegal: ${error.message}`)
      const now = actor.table.game
      if (now && actor.table.onTurn === seat) await play(simpleAction(now), true)
    }
  }

  /** Lets bots think about a proposal to end the game, one after another. */
  async #askBots(actor: Actor): Promise<void> {
    for (;;) {
      const { table } = actor
      const seat = table.unanswered.bots[0]
      if (seat === undefined || !table.proposed || !table.game || !actor.listeners.size) return
      const { number } = table.proposed
      const stream = sha256(`end ${table.seed} ${number} ${seat}`)
      const yes = await this.#bots.agrees(table.botAt(seat)!, table.game.view(seat), stream)
      try {
        await actor.post({
          command: `end:${number}:${seat}`,
          decide: (now) => {
            const event = botAnswersEnd(now, number, seat, yes)
            if (!event) throw new StaleError() // it is over, refused, or another's by now
            return { event }
          },
          version: null,
        })
      } catch (error) {
        if (!(error instanceof StaleError)) throw error
      }
    }
  }

  // Clocks

  #setTimer(actor: Actor): void {
    this.forget(actor)
    const due = dueAt(actor)
    if (due === null) return
    const wait = Math.min(Math.max(0, due - actor.now), LONGEST_WAIT)
    this.#timers.set(
      actor,
      setTimeout(() => this.#timerOver(actor), wait),
    )
  }

  #timerOver(actor: Actor): void {
    if (!isDue(actor)) return this.#setTimer(actor)
    this.#post(actor, `alarm:${actor.table.number}`, (table) => {
      if (!isDue(actor)) throw new StaleError()
      if (table.dealWaits) return leaveOut(table)
      return { event: { kind: 'stood_in', seat: table.onTurn!, level: table.agreement.stand_in! } }
    })
  }
}

const isDue = (actor: Actor): boolean => {
  const due = dueAt(actor)
  return due !== null && due <= actor.now
}

/** When something is to be done for people who do nothing; null where there is no reason. */
function dueAt({ table, since }: Actor): number | null {
  if (table.dealWaits) {
    const gone = table.awaited.every((seat) => table.chairs[table.order[seat]!]!.person === null)
    return gone ? 0 : Math.max(table.started, since) + NUMBER_WAITS
  }
  const { stand_in, grace_seconds = 60 } = table.agreement
  const { onTurn, deadline } = table
  if (!stand_in || !table.playing || onTurn === null || table.botAt(onTurn) !== null || deadline === null) return null
  return Math.max(deadline, since) + 1000 * grace_seconds
}

/** How a game is over by now that nobody has ended. */
function howOver({ table, now }: Actor): 'abandoned' | 'turn limit' | null {
  if (!table.playing) return null
  if (now - table.touched >= ABANDONED_AFTER) return 'abandoned'
  const alone = table.order.every((_, seat) => table.botAt(seat) !== null)
  return alone && table.game!.turns >= MOST_TURNS ? 'turn limit' : null
}

/** Whether it is the turn of a bot. */
function botWaits(table: Table): boolean {
  return table.playing && table.onTurn !== null && table.botAt(table.onTurn) !== null
}

/** What is played for a bot that has no answer: end the turn, or the first legal placement. */
function simpleAction({ legal }: Game): number {
  const ends = ['.', '-'].map((token) => ACTIONS.find((action) => action.token === token)!.number)
  return ends.find((action) => legal.includes(action)) ?? legal[0]!
}
