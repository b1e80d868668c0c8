/** Runners by the addresses of their pages, below the project or group whose jobs they can take. */
import { isManagedBy, type RunnerRow, runnersOfGroup, runnersOfProject } from '../../ci/runners/queries.ts'
import type { Ability } from '../../platform/access/abilities.ts'
import type { Context } from '../../platform/kernel/context.ts'
import { type Scope, within } from '../../platform/kernel/declaration/scope.ts'
import { integer } from '../../platform/kernel/declaration/types.ts'
import { forbidden, notFound } from '../../platform/kernel/errors.ts'
import { inGroupPage } from '../../spaces/groups/pages/scope.ts'
import { inProjectPage } from '../../spaces/projects/pages/scope.ts'
import { eitherPath, type InEither, mayHere } from '../places/planning.ts'
import type { ListedRunner } from './list_view.ts'

export interface InRunnerPage extends InEither {
  readonly runner: ListedRunner
}

/** Pages of the runners of projects, or of groups. */
export interface RunnersKind {
  readonly noun: 'project' | 'group'
  readonly base: '/:project_path/-/runners' | '/groups/:group_path/-/runners'
  readonly scope: Scope<InEither>
  /** `:runner_id` becomes a runner that can take jobs of the place, or 404. */
  readonly inOne: Scope<InRunnerPage>
  /** The same for one that the caller manages; 403 for another. */
  readonly inManaged: Scope<InRunnerPage>
  readonly manage: Ability
}

type Filters = Parameters<typeof runnersOfGroup>[2]

/** The runners that can take jobs of the place, and whether the caller manages each. */
export function runnersHere({ db, actor, now, project, group }: Context & InEither, filters: Filters) {
  const found = project ? runnersOfProject(db, project, filters, now) : group && runnersOfGroup(db, group, filters, now)
  if (!found) throw new Error('a page of runners is in no project and no group')
  return found.select(isManagedBy(actor).as('managed')).$castTo<RunnerRow & { managed: boolean }>()
}

function kindOf(noun: RunnersKind['noun'], base: RunnersKind['base'], scope: Scope<InEither>, manage: Ability): RunnersKind {
  const [name, managed] = noun === 'project' ? ['inRunnerPage', 'inManagedRunnerPage'] : ['inGroupRunnerPage', 'inManagedGroupRunnerPage']
  const path = { runner_id: integer('ID of a runner') }
  async function load(ctx: Context & InEither, { runner_id }: { readonly runner_id: number }) {
    const runner = mayHere(ctx, manage) ? await runnersHere(ctx, {}).where('runners.id', '=', runner_id).executeTakeFirst() : undefined
    if (!runner) throw notFound('Runner')
    return { runner }
  }
  return {
    noun,
    base,
    scope,
    manage,
    inOne: within(scope, { name, path, load }),
    inManaged: within(scope, {
      name: managed,
      path,
      async load(ctx, ids) {
        const found = await load(ctx, ids)
        if (!found.runner.managed) throw forbidden('No access granted')
        return found
      },
      subject: () => ({ on: 'instance' as const }),
    }),
  }
}

export const ofProject = kindOf('project', '/:project_path/-/runners', inProjectPage as unknown as Scope<InEither>, 'admin_project_runners')
export const ofGroup = kindOf('group', '/groups/:group_path/-/runners', inGroupPage as unknown as Scope<InEither>, 'admin_group_runners')

/** The address of the list. Pure. */
export const runnersPath = (subjects: InEither, rest = ''): string => eitherPath(subjects, `/-/runners${rest}`)
