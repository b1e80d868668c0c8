/** The JSON of exports. */
import Type from 'typebox'
import { entity } from '../../platform/kernel/answer/entity.ts'
import { DateTime, integer, Nullable, optional, text } from '../../platform/kernel/declaration/types.ts'
import type { ExportedProject } from './queries.ts'

export const ProjectExport = entity({
  name: 'ProjectExport',
  schema: Type.Object({
    id: integer('ID, unique on the instance'),
    description: Nullable(text('Description; null or empty where there is none')),
    name: text('Name of the project'),
    name_with_namespace: text('Names of all parents and its own, with ` / ` between'),
    path: text('Last part of the path, as in addresses'),
    path_with_namespace: text('Path with those of all parents'),
    created_at: DateTime('When it was created'),
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
    id: row.id,
    description: row.description,
    name: row.name,
    name_with_namespace: row.full_name,
    path: row.path,
    path_with_namespace: row.full_path,
    created_at: row.created_at,
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
