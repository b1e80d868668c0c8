/** The given variables of a pipeline, as JSON (pipelines API at 14.0). */
import Type from 'typebox'
import type { Db } from '../../platform/db/connection.ts'
import { entity } from '../../platform/kernel/answer/entity.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { OneOf, text } from '../../platform/kernel/declaration/types.ts'
import type { Secret } from '../../platform/secret.ts'
import { RUN_VALUE_PURPOSE } from '../run_variables/given.ts'

/**
 * The given variables of a pipeline, in the order of the request.
 * Contract: without those that its schedule had, which are for users who may change the schedule (pipelines API).
 */
export const variablesOfPipeline = (db: Db, pipelineId: number) =>
  db.selectFrom('run_variables').selectAll().where('pipeline_id', '=', pipelineId).where('source', '=', 'given').orderBy('id')

type RunVariableRow = Awaited<ReturnType<ReturnType<typeof variablesOfPipeline>['executeTakeFirstOrThrow']>>

export const PipelineVariable = entity({
  name: 'PipelineVariable',
  schema: Type.Object({
    variable_type: OneOf(['env_var', 'file'], {
      description: '`env_var`: a variable with the value; `file`: a variable with the path of a file that holds it',
    }),
    key: text('Name of the variable'),
    value: text('Value of the variable'),
  }),
  load: async ({ deps }: Context, rows: readonly RunVariableRow[]) =>
    new Map(rows.map(row => [row.id, deps.secrets.decrypt(row.value, RUN_VALUE_PURPOSE)])),
  present: ({ id, variable_type, key }: RunVariableRow, values: ReadonlyMap<number, Secret>) => ({
    variable_type,
    key,
    value: (values.get(id) as Secret).reveal(),
  }),
})
