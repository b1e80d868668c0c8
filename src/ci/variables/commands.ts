/** Writes of variables. */

import { uniqueViolation } from '../../platform/db/errors.ts'
import { changesExcept } from '../../platform/events/audit/changes.ts'
import { inPlace } from '../../platform/events/audit/entry.ts'
import { recordEvent } from '../../platform/events/events.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { invalid } from '../../platform/kernel/errors.ts'
import { heldPlanLimits } from '../plan_limits/queries.ts'
import { countInstanceVariables, type VariableRow } from './queries.ts'
import type { InVariablePlace } from './scope.ts'
import { wrongWith } from './values.ts'

/** The associated data of the encryption of values. */
export const VALUE_PURPOSE = 'ci_variables.value'

/** The attributes of a variable; undefined ones are unchanged, or get the default of a new variable. */
export interface VariableAttributes {
  readonly value?: string | undefined
  readonly variable_type?: VariableRow['variable_type'] | undefined
  readonly protected?: boolean | undefined
  readonly masked?: boolean | undefined
  readonly raw?: boolean | undefined
  readonly environment_scope?: string | undefined
}

/** A new variable. `masked_and_hidden`: masked, and its value is shown by no answer; it stays so. */
export type NewVariable = VariableAttributes & {
  readonly key: string
  readonly value: string
  readonly masked_and_hidden?: boolean | undefined
}

/** Contract: 400 with the validation body (decisions 13 and 29). */
const taken = (of: InVariablePlace['of'], key: string) =>
  invalid({ key: [of === 'instance' ? 'has already been taken' : `(${key}) has already been taken`] })

/** Creates a variable; 400 if the key is taken, or a value cannot be masked. */
export async function createVariable(
  ctx: Context,
  { of, place }: InVariablePlace,
  { key, value, raw = false, masked_and_hidden: hidden = false, ...rest }: NewVariable,
): Promise<VariableRow> {
  const { db, deps, now } = ctx
  const masked = hidden || (rest.masked ?? false)
  const failures = wrongWith({ value, masked, raw })
  if (failures) throw invalid(failures)
  if (of === 'instance') await assertVariableLimit(ctx)
  const made = await db
    .insertInto('ci_variables')
    .values({
      ...place,
      ...rest,
      key,
      masked,
      hidden,
      raw,
      value: deps.secrets.encrypt(value, VALUE_PURPOSE),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) === undefined ? error : taken(of, key)
    })
  const { id, environment_scope: scope } = made
  const payload = { id, name: key, scope, protected: made.protected, masked }
  await recordEvent(ctx, { kind: 'variable.created', payload, ...inPlace(place) })
  return made
}

/** Concurrent creators wait for each other, so that both are counted. */
async function assertVariableLimit({ db }: Context): Promise<void> {
  const { ci_instance_level_variables: limit } = await heldPlanLimits(db)
  if (limit > 0 && (await countInstanceVariables(db)) >= limit)
    throw invalid({ base: [`Maximum number of ci instance variables (${limit}) exceeded`] })
}

/** Changes a variable. */
export async function updateVariable(
  ctx: Context,
  of: InVariablePlace['of'],
  { id }: VariableRow,
  { value, ...changes }: VariableAttributes,
): Promise<VariableRow> {
  const { db, deps, now } = ctx
  // Locked until the transaction ends, so that the value that is masked is the one that was checked.
  const was = await db.selectFrom('ci_variables').selectAll().where('id', '=', id).forUpdate().executeTakeFirstOrThrow()
  // A value that was hidden once stays hidden: who may change the variable need not know it.
  if (was.hidden && changes.masked === false) throw invalid({ masked: ['cannot be changed for hidden variables'] })
  const failures = wrongWith({
    value: value ?? deps.secrets.decrypt(was.value, VALUE_PURPOSE).reveal(),
    masked: changes.masked ?? was.masked,
    raw: changes.raw ?? was.raw,
  })
  if (failures) throw invalid(failures)
  const updated = await db
    .updateTable('ci_variables')
    .set({ ...changes, ...(value !== undefined && { value: deps.secrets.encrypt(value, VALUE_PURPOSE) }), updated_at: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(error => {
      throw uniqueViolation(error) === undefined ? error : taken(of, was.key)
    })
  // Of the value, the log only says that it was given.
  const given = { ...changesExcept(was, changes, []), ...(value !== undefined && { value: { from: null, to: '[withheld]' } }) }
  await recordEvent(ctx, { kind: 'variable.updated', payload: { id, name: was.key, changes: given }, ...inPlace(was) })
  return updated
}

/** Deletes a variable. */
export async function removeVariable(ctx: Context, variable: VariableRow): Promise<void> {
  const { id, key: name, environment_scope: scope } = variable
  await ctx.db.deleteFrom('ci_variables').where('id', '=', id).returning('id').executeTakeFirstOrThrow()
  await recordEvent(ctx, { kind: 'variable.deleted', payload: { id, name, scope }, ...inPlace(variable) })
}
