/** What pages can watch: each kind of thing whose changes reach the pages that show it, and who may follow it. */
import { sql } from 'kysely'
import { type Ability, allows } from '../../access/abilities.ts'
import type { Context } from '../../kernel/context.ts'
import { Port } from '../../kernel/declaration/port.ts'
import type { Scope } from '../../kernel/declaration/scope.ts'
import type { ParamsOf } from '../../kernel/declaration/types.ts'
import { Refusal } from '../../kernel/errors.ts'
import type { Html } from '../html.ts'

/** One thing that a page shows: kind and id, `repository:12`. The database announces its changes under this name. */
export type Topic = `${string}:${number}`

/** A kind of topic. */
export interface TopicKind {
  /** May the caller see the thing? Asked when a stream opens, and again before each message. */
  isOpen(ctx: Context, id: number): Promise<boolean>
  /** Has it changed since the page was made? For changes between the page and its stream. */
  hasChanged?(ctx: Context, id: number, since: Date): Promise<boolean>
  /** Turbo streams of what every page shows of it, for this caller; sent when a stream opens, and with each change. */
  streams?(ctx: Context, id: number): Promise<Html>
}

/** The kinds by their names. Provided by `src/server/page_parts.ts`. */
export const topicKinds = new Port<Readonly<Record<string, TopicKind>>>('topicKinds')

/** A name of at most 40 letters, and an id. */
const shape = /^([a-z_]{1,40}):(\d{1,15})$/

/** The kind and id of a topic; undefined for a text that names none. */
export function readTopic(text: string): { readonly kind: TopicKind; readonly id: number; readonly topic: Topic } | undefined {
  const [, name = '', id] = shape.exec(text) ?? []
  const kind = Object.hasOwn(topicKinds.value, name) ? topicKinds.value[name] : undefined
  return kind && { kind, id: Number(id), topic: `${name}:${Number(id)}` }
}

/** Authorizes a kind as an endpoint would be: by a scope and an ability. `path`: the parameters of the scope for an id. */
export const openBy =
  // biome-ignore lint/suspicious/noExplicitAny: any path
    (within: Scope<any, any, any>, can: Ability, path: (id: number) => ParamsOf<any>): TopicKind['isOpen'] =>
    async (ctx, id) => {
      try {
        const subjects = await within.load(ctx, path(id))
        return allows(ctx.actor, can, within.subject(subjects)) === 'yes'
      } catch (error) {
        if (error instanceof Refusal) return false
        throw error
      }
    }

/** Has a row of a table changed since? `column`: what the id of the topic names. `at`: when the row changed. */
export const changedIn =
  (table: string, column: string, at = 'updated_at'): NonNullable<TopicKind['hasChanged']> =>
  async ({ db }, id, since) => {
    const { rows } = await sql<{ changed: boolean }>`
      select exists (select from ${sql.table(table)} where ${sql.ref(column)} = ${id} and ${sql.ref(at)} >= ${since}) as changed`.execute(
      db,
    )
    return rows[0]?.changed === true
  }
