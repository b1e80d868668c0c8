/** The JSON of exports. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { optional, text } from '../../platform/kernel/declaration/types.ts'
import { ProjectIdentity, presentIdentity } from '../../spaces/projects/facts/identity.ts'
import type { ExportedProject } from './queries.ts'

export const ProjectExport = entity({
  name: 'ProjectExport',
  schema: Type.Object({
    ...ProjectIdentity.properties,
    export_status: text(
      'State of the export: `none`, `queued`, `started`, `finished` or `regeneration_in_progress`, where the archive of before is still there',
    ),
    _links: optional(
      Type.Object(
        { api_url: text('Where programs download the archive'), web_url: text('Where people do') },
        { description: 'Addresses of the archive; absent where there is none' },
      ),
    ),
  }),
  present: (row: ExportedProject, _loaded, { url }) => ({
    ...presentIdentity(row),
    export_status: row.export_status,
    ...(row.export_status === 'finished' && {
      _links: {
        api_url: `${url}/api/v4/projects/${row.id}/export/download`,
        web_url: `${url}/${row.full_path}/download_export`,
      },
    }),
  }),
})

export const ExportAccepted = entity({
  name: 'ExportAccepted',
  schema: Type.Object({ message: text('`202 Accepted`') }),
  present: (row: { readonly message: string }) => row,
})
