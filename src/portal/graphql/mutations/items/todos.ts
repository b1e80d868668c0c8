/** Mutations of to-do items. */
import { restoreTodo } from '../../../../collaboration/todos/commands.ts'
import { inOwnTodo } from '../../../../collaboration/todos/endpoints.ts'
import { type TodoRow, todoOf, todosOf } from '../../../../collaboration/todos/queries.ts'
import { anyOf } from '../../../../platform/db/statements/any.ts'
import { endpoint, nothing, type Route } from '../../../../platform/kernel/declaration/endpoint.ts'
import { unprocessable } from '../../../../platform/kernel/errors.ts'
import { numberIn } from '../../reading/ids.ts'
import { globalId } from '../../reading/things.ts'
import type { Mutations } from '../mutation.ts'
import { awardableRoutes, itemPlace } from '../places.ts'
import type { MutationRun, Payload } from '../run.ts'

const FINISH: Route = 'POST /todos/:id/mark_as_done'
const FINISH_ALL: Route = 'POST /todos/mark_as_done'
const markable = [awardableRoutes.issue, awardableRoutes.merge_request, awardableRoutes.epic]

/** The REST API has no way back; the page of to-do items has. */
const restore = endpoint({
  route: 'POST /todos/:id/restore',
  summary: 'Put a to-do item back on the list',
  scope: inOwnTodo,
  can: 'update_own',
  answers: nothing,
  async run(ctx) {
    if (!(await restoreTodo(ctx, ctx.todo))) throw unprocessable(['The list has a newer to-do item for the same already'])
  },
})

/** Items that one mutation restores at most. Contract: as on the platform (its GraphQL API, todoRestoreMany). */
const MOST_RESTORED = 50

const todoNow = async ({ ctx }: MutationRun, id: number): Promise<TodoRow | undefined> =>
  todoOf(ctx.db, ctx.actor, ctx.actor.user?.id ?? 0, id)

const idsOf = (rows: readonly { readonly id: number }[]): readonly string[] => rows.map(({ id }) => globalId('Todo', id))

const one = (run: MutationRun, id: number): Promise<Payload> => todoNow(run, id).then(todo => ({ todo }))

const todo = '"The to-do item after the mutation" todo: Todo'
const many = `
  "IDs of the to-do items that were changed" updatedIds: [TodoID!]! @deprecated(reason: "Please use todos")
  "The to-do items that were changed" todos: [Todo!]!
`

export const todoMutations: Mutations = {
  todoCreate: {
    says: 'Put something on one’s to-do list',
    input: '"What it is about" targetId: TodoableID!',
    payload: todo,
    runs: markable.map(route => `POST ${route}/todo` as Route),
    async run({ targetId }: { targetId: string }, run) {
      const { kind, ids } = await itemPlace(run, 'TodoableID', targetId)
      const { result } = await run.perform(`POST ${awardableRoutes[kind as 'issue']}/todo` as Route, ids)
      // Contract: one that is on the list is no error, and there is no second one.
      return { todo: result ?? null }
    },
  },
  todoMarkDone: {
    says: 'Mark a to-do item as done',
    input: '"The to-do item" id: TodoID!',
    payload: todo,
    runs: [FINISH],
    async run({ id }: { id: string }, run) {
      return { todo: (await run.perform(FINISH, { id: numberIn('TodoID', id) })).result }
    },
  },
  todoRestore: {
    says: 'Put a to-do item back on the list',
    input: '"The to-do item" id: TodoID!',
    payload: todo,
    runs: [restore],
    async run({ id }: { id: string }, run) {
      await run.perform(restore, { id: numberIn('TodoID', id) })
      return one(run, numberIn('TodoID', id))
    },
    otherwise: async ({ id }: { id: string }, run) => one(run, numberIn('TodoID', id)),
  },
  todoRestoreMany: {
    says: 'Put to-do items back on the list',
    input: '"The to-do items" ids: [TodoID!]!',
    payload: many,
    runs: [restore],
    async run({ ids }: { ids: readonly string[] }, run) {
      if (ids.length > MOST_RESTORED) throw unprocessable([`Too many to-do items: at most ${MOST_RESTORED} can be restored`])
      const restored: TodoRow[] = []
      for (const id of new Set(ids.map(value => numberIn('TodoID', value)))) {
        // Contract: what is pending already is left out (public behaviour).
        if ((await todoNow(run, id))?.state === 'pending') continue
        await run.perform(restore, { id })
        const row = await todoNow(run, id)
        if (row) restored.push(row)
      }
      return { updatedIds: idsOf(restored), todos: restored }
    },
    otherwise: async () => ({ updatedIds: [], todos: [] }),
  },
  todosMarkAllDone: {
    says: 'Mark all one’s to-do items as done',
    input: '',
    payload: many,
    runs: [FINISH_ALL],
    async run(_input: unknown, run) {
      const { db, actor } = run.ctx
      const userId = actor.user?.id ?? 0
      const pending = await todosOf(db, actor, userId, {}).limit(MOST_SHOWN).execute()
      await run.perform(FINISH_ALL, {})
      const done = await todosOf(db, actor, userId, { state: 'done' })
        .where('todos.id', '=', anyOf(pending.map(({ id }) => id)))
        .execute()
      return { updatedIds: idsOf(done), todos: done }
    },
  },
}

/** To-do items that are shown after all were finished. */
const MOST_SHOWN = 100
