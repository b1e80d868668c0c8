/** Writes of custom attributes. */
import type { Context } from '../../platform/kernel/context.ts'
import type { Bearer, CustomAttributeRow } from './queries.ts'

/** Sets the value of a key. */
export async function setCustomAttribute(
  { db, now }: Context,
  { column, id }: Bearer,
  attribute: CustomAttributeRow,
): Promise<CustomAttributeRow> {
  await db
    .insertInto('custom_attributes')
    .values({ [column]: id, ...attribute, created_at: now, updated_at: now })
    .onConflict(conflict => conflict.columns([column, 'key']).doUpdateSet({ value: attribute.value, updated_at: now }))
    .execute()
  return attribute
}

/** Removes an attribute. */
export async function removeCustomAttribute({ db }: Context, { column, id }: Bearer, key: string): Promise<void> {
  await db.deleteFrom('custom_attributes').where(column, '=', id).where('key', '=', key).execute()
}
