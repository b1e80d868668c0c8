/** A pipeline as lists and embedding resources show it. */
import Type from 'typebox'
import { entity } from '../../../platform/kernel/answer/entity.ts'
import type { Facts } from '../../../platform/kernel/context.ts'
import { DateTime, described, integer, Nullable, OneOf, text } from '../../../platform/kernel/declaration/types.ts'
import { jobMachine } from '../../states.ts'
import type { PipelineRow } from '../queries.ts'

export const PipelineStatus = OneOf(jobMachine.states as unknown as [PipelineRow['status'], ...PipelineRow['status'][]], {
  description: 'Status',
})

/** The fields of a pipeline inside a job (document 2 "Job"). */
export const namedFields = {
  id: integer('ID, unique on the instance'),
  project_id: integer('ID of the project'),
  sha: text('ID of the commit'),
  ref: text('Name of the branch or tag'),
  status: described('Status of the pipeline', PipelineStatus),
}

/** The values of `namedFields`. */
export const presentNamed = (row: PipelineRow) => ({
  id: row.id,
  project_id: row.project_id,
  sha: row.sha,
  ref: row.ref,
  status: row.status,
})

/** The same with its timestamps and its page (document 2 "Bridge job"). */
export const basicFields = {
  ...namedFields,
  created_at: DateTime('When it was created'),
  updated_at: DateTime('When it was last changed'),
  web_url: text('Address of the page for people'),
}

/** The values of `basicFields`. */
export const presentBasic = (row: PipelineRow, facts: Facts) => ({
  ...presentNamed(row),
  created_at: row.created_at,
  updated_at: row.updated_at,
  web_url: pipelineUrl(row, facts),
})

/** The page of a pipeline. */
export const pipelineUrl = ({ id, project_path }: Pick<PipelineRow, 'id' | 'project_path'>, { url }: Facts): string =>
  `${url}/${project_path}/-/pipelines/${id}`

/** The fields of a pipeline in lists; `iid`, `source` and `name` are newer than 14.0, and clients read them. */
export const listedFields = {
  ...basicFields,
  iid: integer('Number within the project or group'),
  source: text('What started the pipeline: `push`, `web`, `api`, `schedule` and others'),
  name: Nullable(text('Name that it was given; null where it has none')),
}

/** The values of `listedFields`. */
export const presentListed = (row: PipelineRow, facts: Facts) => ({
  ...presentBasic(row, facts),
  iid: row.iid,
  source: row.source,
  name: row.name,
})

/** A pipeline in lists (pipelines API at 14.0). */
export const PipelineBasic = entity({
  name: 'PipelineBasic',
  schema: Type.Object(listedFields),
  present: (row: PipelineRow, _loaded: undefined, facts) => presentListed(row, facts),
})
