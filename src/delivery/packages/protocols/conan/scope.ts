/** Whose recipes an address is about. */
import { scope, within } from '../../../../platform/kernel/declaration/scope.ts'
import { notFound } from '../../../../platform/kernel/errors.ts'
import { visibleProject } from '../../../../spaces/projects/queries.ts'
import { projectSubject } from '../../../../spaces/projects/scope.ts'
import { assertPackages, inPackages } from '../../scope.ts'
import { projectPathOf, recipeOf, recipePath } from './names.ts'

/** A recipe of a project that has packages, whether or not it was published. */
export const inConanRecipe = within(inPackages, {
  name: 'inConanRecipe',
  path: recipePath,
  load: async (_ctx, path) => ({ recipe: recipeOf(path) }),
})

/** A recipe in the registry of the instance: its user is the path of its project, so that no other project can take its name. */
export const inInstanceRecipe = scope({
  name: 'inInstanceRecipe',
  path: recipePath,
  async load({ db, actor }, path) {
    const projectPath = projectPathOf(path.package_username)
    // A number would be an id.
    const project = projectPath.includes('/') ? await visibleProject(db, actor, projectPath) : undefined
    if (!project) throw notFound('Project')
    assertPackages(actor, project)
    return { project, recipe: recipeOf(path) }
  },
  subject: ({ project }) => projectSubject(project),
})
