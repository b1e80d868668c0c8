/** Reads of custom attributes: texts that administrators store under a key of a user, a group or a project. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/connection.ts'
import { anyOf } from '../../platform/db/statements/any.ts'

/** The kind of bearer, as the column that refers to it. */
export type BearerColumn = 'user_id' | 'namespace_id' | 'project_id'

/** One bearer of attributes. */
export interface Bearer {
  readonly column: BearerColumn
  readonly id: number
}

/** One attribute. */
export interface CustomAttributeRow {
  readonly key: string
  readonly value: string
}

/** The attributes of one bearer, in the order in which they were set. */
export const customAttributesOf = (db: Db, { column, id }: Bearer) =>
  db.selectFrom('custom_attributes').select(['key', 'value']).where(column, '=', id).orderBy('id')

/** One attribute of a bearer. */
export const customAttributeOf = (db: Db, bearer: Bearer, key: string) =>
  customAttributesOf(db, bearer).where('key', '=', key).executeTakeFirst()

/** The attributes of many bearers of one kind, by their ids: one statement for a page. */
export async function customAttributesIn(db: Db, column: BearerColumn, ids: readonly number[]): Promise<Map<number, CustomAttributeRow[]>> {
  const rows = await db
    .selectFrom('custom_attributes')
    .select([`${column} as bearer_id`, 'key', 'value'])
    .where(column, '=', anyOf(ids))
    .orderBy('id')
    .execute()
  const byBearer = Map.groupBy(rows, row => row.bearer_id as number)
  return new Map([...byBearer].map(([id, attributes]) => [id, attributes.map(({ key, value }) => ({ key, value }))]))
}

const bearers = { users: 'user_id', namespaces: 'namespace_id', projects: 'project_id' } as const satisfies Record<string, BearerColumn>

/** Do the rows of `table` have all of these attributes? Uses the index on key and value. */
export function hasCustomAttributes(table: keyof typeof bearers, wanted: Readonly<Record<string, string>>): RawBuilder<boolean> {
  const column = sql.ref(bearers[table])
  const conditions = Object.entries(wanted).map(
    ([key, value]) => sql`${sql.ref(`${table}.id`)} in (
      select ${column} from custom_attributes where key = ${key} and md5(value) = md5(${value}) and value = ${value} and ${column} is not null)`,
  )
  return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`
}
