/**
 * State machines as data (house rule "States are data"). The transitions, the API's enum, and the tests that try every event from every
 * state come from one description.
 */
import { forbidden } from '../errors.ts'

/** States, the initial one, and for each event its target by the states in which it is possible. */
export interface Machine<S extends string, E extends string> {
  readonly states: readonly S[]
  readonly initial: S
  readonly events: { readonly [event in E]: { readonly [from in S]?: S } }
}

/** Declares a machine; states in `events` that are not listed do not compile. */
export const machine = <const S extends string, const E extends string>(declared: {
  readonly states: readonly S[]
  readonly initial: NoInfer<S>
  readonly events: { readonly [event in E]: { readonly [from in NoInfer<S>]?: NoInfer<S> } }
}): Machine<S, E> => declared

/** Where `event` leads from `state`, or undefined where it is impossible. */
export const next = <S extends string, E extends string>(machine: Machine<S, E>, state: S, event: E): S | undefined =>
  machine.events[event][state]

/** For an event, its source states by target: for a statement that moves many rows. */
export function movesOf<S extends string, E extends string>(machine: Machine<S, E>, event: E): ReadonlyMap<S, readonly S[]> {
  const moves = new Map<S, S[]>()
  for (const from of machine.states) {
    const to = next(machine, from, event)
    if (to !== undefined) moves.set(to, [...(moves.get(to) ?? []), from])
  }
  return moves
}

/** The target of `event` from `state`; an impossible move is a 403 that says so. */
export function move<S extends string, E extends string>(machine: Machine<S, E>, state: S, event: E): S {
  const to = next(machine, state, event)
  if (to === undefined) throw forbidden(`Cannot ${event} from state "${state}"`)
  return to
}
