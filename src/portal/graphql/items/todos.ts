/** To-do items. */

import { sql } from 'kysely'
import { todoKinds } from '../../../collaboration/item_kinds/item_kind.ts'
import { notesById } from '../../../collaboration/notes/queries.ts'
import { type TodoFilters, type TodoRow, todosOf } from '../../../collaboration/todos/queries.ts'
import { todoActions } from '../../../collaboration/todos/write.ts'
import { anyOf } from '../../../platform/db/statements/any.ts'
import { Connection, emptyConnection, type PageArgs } from '../reading/connections.ts'
import { numberOrGlobalId } from '../reading/ids.ts'
import type { Part } from '../reading/part.ts'
import type { GraphRequest } from '../reading/request.ts'
import { globalId, idIn } from '../reading/things.ts'
import { shownGroup } from '../spaces/groups.ts'
import { shownProject } from '../spaces/projects.ts'
import { remembered } from './shared.ts'

interface TodosArgs extends PageArgs {
  readonly state?: readonly string[] | null
  readonly action?: readonly string[] | null
  readonly type?: readonly string[] | null
  readonly authorId?: readonly string[] | null
  readonly projectId?: readonly string[] | null
  readonly groupId?: readonly string[] | null
}

const types = { Issue: 'ISSUE', MergeRequest: 'MERGEREQUEST', Epic: 'EPIC', Commit: 'COMMIT' } as const

const typeOf = (value: string): string => Object.entries(types).find(([, name]) => name === value)?.[0] ?? value

const kindOf = (row: TodoRow) => todoKinds().find(({ key }) => row[key] !== null)

/** A list of filters as one, and as more conditions where there are several. */
function listed({ ctx }: GraphRequest, args: TodosArgs) {
  const { state, action, type, authorId, projectId, groupId } = args
  const states = new Set((state ?? ['pending']).map(value => value as 'pending' | 'done'))
  const filters: TodoFilters = {
    state: states.has('done') && !states.has('pending') ? 'done' : 'pending',
    ...(type?.length === 1 ? { type: typeOf(type[0] as string) } : {}),
    ...(groupId?.length === 1 ? { group_id: numberOfId('Group', groupId[0] as string) } : {}),
  }
  let query = todosOf(ctx.db, ctx.actor, ctx.actor.user?.id ?? 0, filters)
  if (action) query = query.where(sql<boolean>`todos.action::text = ${anyOf(action)}`)
  if (authorId) query = query.where('todos.author_id', '=', anyOf(authorId.map(id => numberOrGlobalId('UserID', id))))
  if (projectId) query = query.where('todos.project_id', '=', anyOf(projectId.map(id => numberOfId('Project', id))))
  return query
}

const numberOfId = (kind: string, value: string): number => (/^\d{1,15}$/.test(value) ? Number(value) : idIn(value, kind))

type Bodies = (ids: readonly number[]) => Promise<ReadonlyMap<number, string>>
const noteBodies = new WeakMap<GraphRequest, Bodies>()
const itemTitles = new WeakMap<GraphRequest, Map<string, Bodies>>()

/** The title of what the item is about: one statement for each kind. */
async function titleOf(row: TodoRow, request: GraphRequest): Promise<string> {
  const kind = kindOf(row)
  const id = kind && row[kind.key]
  if (!kind || id == null) return ''
  const loaders = remembered(itemTitles, request, () => new Map<string, Bodies>())
  const load =
    loaders.get(kind.type) ??
    (async ids => {
      const rows = await kind.answer.visibleById(request.ctx, ids)
      const loaded = await kind.answer.load(request.ctx, [...rows.values()])
      return new Map([...rows].map(([one, found]) => [one, kind.answer.present(found, loaded, request.ctx).title]))
    })
  loaders.set(kind.type, load)
  return (await request.byId(load, id)) ?? ''
}

export const todos: Part = {
  types: `
    extend type UserCore {
      "To-do items; those of the caller alone"
      todos(
        "States of the items; pending unless given" state: [TodoStateEnum!]
        "What caused them" action: [TodoActionEnum!]
        "Kinds of what they are about" type: [TodoTargetEnum!]
        "IDs of the users who caused them" authorId: [ID!]
        "IDs of projects" projectId: [ID!]
        "IDs of groups" groupId: [ID!]
      ): TodoConnection
    }
    "A to-do item"
    type Todo {
      "Global ID"
      id: ID!
      "Who caused it"
      author: UserCore!
      "What caused it"
      action: TodoActionEnum!
      "Kind of what it is about"
      targetType: TodoTargetEnum!
      "Text of the note, or title of what it is about"
      body: String!
      "State"
      state: TodoStateEnum!
      "When it was created"
      createdAt: Time!
      "The project; null for an epic"
      project: Project
      "The group of an epic"
      group: Group
    }
    "State of a to-do item"
    enum TodoStateEnum {
      "On the list" pending
      "Done" done
    }
    "What causes a to-do item"
    enum TodoActionEnum {
      ${todoActions.map(action => `"${action.replaceAll('_', ' ')}" ${action}`).join('\n')}
    }
    "Kind of what a to-do item is about"
    enum TodoTargetEnum {
      ${Object.values(types)
        .map(type => `"${type.toLowerCase()}" ${type}`)
        .join('\n')}
    }
  `,
  resolvers: {
    UserCore: {
      // Contract: of other users there is an empty list (public behaviour).
      todos: (user: { row?: { id: number }; id?: number }, args: TodosArgs, request) =>
        (user.row?.id ?? user.id) === request.ctx.actor.user?.id
          ? new Connection(
              request,
              args,
              'todos',
              () => listed(request, args),
              row => row,
            )
          : emptyConnection(request, args),
    },
    Todo: {
      id: ({ id }: TodoRow) => globalId('Todo', id),
      author: ({ author_id }: TodoRow, _args, request) => request.user(author_id),
      targetType: (row: TodoRow) => types[kindOf(row)?.type as keyof typeof types],
      async body(row: TodoRow, _args, request) {
        const load = remembered(noteBodies, request, () => async ids => {
          const rows = await notesById(request.ctx.db, ids)
          return new Map([...rows].map(([id, note]) => [id, note.body]))
        })
        const note = row.note_id === null ? undefined : await request.byId(load, row.note_id)
        return note ?? titleOf(row, request)
      },
      project: ({ project_id }: TodoRow, _args, request) => shownProject(request, project_id),
      group: ({ namespace_id }: TodoRow, _args, request) => shownGroup(request, namespace_id),
    },
  },
}
