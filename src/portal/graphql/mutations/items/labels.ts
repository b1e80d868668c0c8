/** Mutations of labels. */
import { ProjectLabel } from '../../../../planning/labels/entity.ts'
import type { LabelRow } from '../../../../planning/labels/queries.ts'
import type { Route } from '../../../../platform/kernel/declaration/endpoint.ts'
import { unprocessable } from '../../../../platform/kernel/errors.ts'
import type { Mutations } from '../mutation.ts'
import { groupAt, projectAt } from '../places.ts'

const PROJECT_LABEL: Route = 'POST /projects/:id/labels'
const GROUP_LABEL: Route = 'POST /groups/:id/labels'

/** An input that names a project or a group. */
export interface InPlace {
  readonly projectPath?: string | null
  readonly groupPath?: string | null
}

export const placeInput = `
  "Full path of the project; or groupPath" projectPath: ID
  "Full path of the group; or projectPath" groupPath: ID
`

/** The route and its `:id`, by whether the input names a project or a group. */
export function placed<R extends string>(
  { projectPath, groupPath }: InPlace,
  ofProject: R,
  ofGroup: R,
): { readonly route: R; readonly id: string } {
  if ((projectPath == null) === (groupPath == null)) throw unprocessable(['Exactly one of projectPath and groupPath must be given'])
  return projectPath == null ? { route: ofGroup, id: groupAt(groupPath as string) } : { route: ofProject, id: projectAt(projectPath) }
}

export const labelMutations: Mutations = {
  labelCreate: {
    says: 'Create a label of a project or group',
    input: `
      ${placeInput}
      "Title" title: String!
      "Description" description: String
      "Color of the background: a name, or six hexadecimal digits after #" color: String = "#428BCA"
    `,
    payload: '"The label" label: Label',
    runs: [PROJECT_LABEL, GROUP_LABEL],
    async run(input: InPlace & { title: string; description?: string | null; color?: string | null }, run) {
      const { route, id } = placed(input, PROJECT_LABEL, GROUP_LABEL)
      const { title: name, description, color } = input
      const { result } = await run.perform(route, { id, name, description, color })
      return { label: await run.request.show(ProjectLabel, result as LabelRow) }
    },
  },
}
