/**
 * Quick actions of epics (public behaviour at 14.0), in notes about them and in their descriptions. Epics live in groups, where there is
 * little to plan with, so that their actions are a short table of their own; they work by the commands that the API uses.
 */
import { allows } from '../access/abilities.ts'
import { awardableThing } from '../award_emoji/awardable.ts'
import { toggleAward } from '../award_emoji/commands.ts'
import { createEpic, type EpicAttributes, type EpicChanges, updateEpic } from '../epics/commands.ts'
import { type EpicRow, epicById } from '../epics/queries.ts'
import type { GroupRow } from '../groups/queries.ts'
import { groupSubject } from '../groups/scope.ts'
import type { Context } from '../kernel/context.ts'
import { labelsByName } from '../labels/queries.ts'
import { isEmojiName } from '../markdown/document.ts'
import { placeOf, type TalkedEpic, talkedEpic } from '../notes/noteable.ts'
import { setSubscription } from '../subscriptions/commands.ts'
import { addTodos, finishTodos } from '../todos/write.ts'
import { parseQuickActions } from './parse.ts'
import { namesIn } from './targets.ts'

type Group = TalkedEpic['group']

/** What an action is about; there is no epic yet while it is created. */
interface About {
  readonly ctx: Context
  readonly group: Group
  readonly epic: EpicRow | undefined
}

/** What one action comes to; see `Effect` of action.ts. */
interface Effect {
  readonly changes?: EpicChanges
  readonly told?: Readonly<Record<string, unknown>>
  after?(ctx: Context, talked: TalkedEpic): Promise<void>
  readonly text?: string
}

/** Undefined where the actor may not use it, or its argument means nothing. */
type EpicAction = (about: About, argument: string) => Effect | undefined | Promise<Effect | undefined>

const change = (changes: EpicChanges, told: Readonly<Record<string, unknown>> = { ...changes }): Effect => ({ changes, told })

/** For those who may change the epic. */
const planned =
  (act: EpicAction): EpicAction =>
  (about, argument) =>
    allows(about.ctx.actor, 'admin_epic', groupSubject(about.group)) === 'yes' ? act(about, argument) : undefined

/** For people, on an epic that is there or about to be. */
const personal =
  (act: (argument: string) => Effect | undefined): EpicAction =>
  ({ ctx }, argument) =>
    ctx.actor.user ? act(argument) : undefined

/** With the labels that the argument names, as far as they serve in the group. */
const labelled = (made: (names: string[], ids: number[]) => Effect): EpicAction =>
  planned(async ({ ctx, group }, argument) => {
    const place = { key: { namespace_id: group.id }, above: group.traversal_ids.slice(0, -1) }
    const found = await labelsByName(ctx.db, place, namesIn(argument, 'label'))
    return found.size === 0 ? undefined : made([...found.keys()], [...found.values()])
  })

const withoutLabels = labelled((remove_labels, ids) => change({ remove_labels }, { remove_label_ids: ids }))
const addLabels = labelled((add_labels, ids) => change({ add_labels }, { add_label_ids: ids }))
const removeLabels = planned((about, argument) =>
  argument === '' ? change({ labels: [] }, { label_ids: [] }) : withoutLabels(about, argument),
)

const subscription = (subscribed: boolean): EpicAction =>
  personal(() => ({
    told: { subscription_event: subscribed ? 'subscribe' : 'unsubscribe' },
    after: ({ db, actor, now }, { key }) => setSubscription(db, actor.user!.id, key, subscribed, now),
  }))

const words =
  (text: string): EpicAction =>
  (_about, argument) => ({ text: `${argument} ${text}`.trim() })

const table: Readonly<Record<string, EpicAction>> = {
  close: planned(({ epic }) => (epic?.state === 'opened' ? change({ state_event: 'close' }) : undefined)),
  reopen: planned(({ epic }) => (epic?.state === 'closed' ? change({ state_event: 'reopen' }) : undefined)),
  title: planned((_about, title) => (title === '' || title.length > 255 ? undefined : change({ title }))),
  label: addLabels,
  labels: addLabels,
  unlabel: removeLabels,
  remove_label: removeLabels,
  relabel: labelled((labels, ids) => change({ labels }, { label_ids: ids })),
  subscribe: subscription(true),
  unsubscribe: subscription(false),
  todo: personal(() => ({
    told: { todo_event: 'add' },
    async after({ db, actor, now }, talked) {
      const id = actor.user!.id
      await addTodos(db, { ...talked.key, ...placeOf(talked), author_id: id, action: 'marked', user_ids: [id] }, now)
    },
  })),
  done: personal(() => ({
    told: { todo_event: 'done' },
    after: ({ db, actor, now }, { key }) => finishTodos(db, actor.user!.id, key, now),
  })),
  award: personal(argument => {
    const name = argument.match(/^:?([a-z0-9_+-]+):?$/)?.[1]
    if (name === undefined || !isEmojiName(name)) return undefined
    return { told: { emoji_award: name }, after: (ctx, talked) => toggleAward(ctx, awardableThing(talked), name) }
  }),
  shrug: words('¯\\＿(ツ)＿/¯'),
  tableflip: words('(╯°□°)╯︵ ┻━┻'),
  cc: (_about, argument) => ({ text: `/cc ${argument}`.trim() }),
}

/** Reads a text of an epic, or of one that is about to be created; nothing has been done yet. */
async function interpret(about: About, written: string) {
  const { text, actions } = parseQuickActions(written, name => Object.hasOwn(table, name))
  const effects: (Effect & { readonly name: string })[] = []
  for (const { name, argument } of actions) {
    const effect = await table[name]?.(about, argument)
    if (effect) effects.push({ name, ...effect })
  }
  const added = effects.flatMap(({ changes }) => changes?.add_labels ?? [])
  const removed = effects.flatMap(({ changes }) => changes?.remove_labels ?? [])
  const changes: EpicChanges = {
    ...Object.assign({}, ...effects.map(effect => effect.changes ?? {})),
    ...(added.length > 0 && { add_labels: added }),
    ...(removed.length > 0 && { remove_labels: removed }),
  }
  return {
    text: [text, ...effects.flatMap(effect => effect.text ?? [])].filter(part => part !== '').join('\n'),
    changes,
    told: Object.assign({}, ...effects.map(effect => effect.told ?? {})) as Readonly<Record<string, unknown>>,
    names: effects.map(({ name }) => name),
    async finish(ctx: Context, epic: EpicRow): Promise<EpicRow> {
      for (const { after } of effects) await after?.(ctx, talkedEpic(ctx, about.group, epic))
      return effects.some(({ after }) => after) ? epicById(ctx, epic.id, about.group.full_path) : epic
    },
  }
}

/** Creates an epic and does what the quick actions of its description say. @throws what createEpic and the actions refuse */
export async function createEpicAsWritten(
  ctx: Context,
  group: Group & GroupRow,
  given: EpicAttributes & { readonly title: string; readonly created_at?: string | undefined },
): Promise<EpicRow> {
  if (!given.description) return createEpic(ctx, group, given)
  const { text: description, changes, finish } = await interpret({ ctx, group, epic: undefined }, given.description)
  const { add_labels = [], remove_labels = [], labels = given.labels ?? [], state_event: _none, updated_at: _now, ...wanted } = changes
  const all = [...new Set([...labels, ...add_labels])].filter(name => !remove_labels.includes(name))
  return finish(ctx, await createEpic(ctx, group, { ...given, ...wanted, labels: all, description }))
}

/** Changes an epic and does what the quick actions of its new description say. @throws what updateEpic and the actions refuse */
export async function updateEpicAsWritten(ctx: Context, group: Group & GroupRow, epic: EpicRow, given: EpicChanges): Promise<EpicRow> {
  if (!given.description) return updateEpic(ctx, group, epic, given)
  const { text: description, changes, finish } = await interpret({ ctx, group, epic }, given.description)
  return finish(ctx, await updateEpic(ctx, group, epic, { ...given, ...changes, description }))
}

/** Reads a note about an epic; `act` does what its quick actions say. @throws (from `act`) what updateEpic and the actions refuse */
export async function epicNote(ctx: Context, { group, epic }: TalkedEpic, body: string) {
  const { finish, ...interpretation } = await interpret({ ctx, group, epic }, body)
  const act = async () => {
    const { changes } = interpretation
    await finish(ctx, Object.keys(changes).length > 0 ? await updateEpic(ctx, group, epic, changes) : epic)
  }
  return { ...interpretation, act }
}
