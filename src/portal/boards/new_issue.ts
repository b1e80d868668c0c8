/** A new issue at the head of a column: it gets what the column and the board stand for, and comes first. */
import { sql } from 'kysely'
import { createOnBoard } from '../../planning/boards/creation.ts'
import { newIssueParams } from '../../planning/issues/params.ts'
import type { IssueList } from '../../planning/issues/queries.ts'
import { allows } from '../../platform/access/abilities.ts'
import { projectsAllowing } from '../../platform/access/ability_conditions.ts'
import type { Context } from '../../platform/kernel/context.ts'
import type { Endpoint } from '../../platform/kernel/declaration/endpoint.ts'
import { integer, optional, text } from '../../platform/kernel/declaration/types.ts'
import { forbidden, invalid, notFound } from '../../platform/kernel/errors.ts'
import { readAs } from '../../platform/pages/answers.ts'
import { formEndpoint } from '../../platform/pages/forms/declare.ts'
import { done, part } from '../../platform/pages/frame/document.ts'
import { localPath } from '../../platform/pages/frame/local_path.ts'
import { html } from '../../platform/pages/html.ts'
import { findProject, type ProjectWithRole, projectSubject } from '../../spaces/projects/scope.ts'
import { type BoardKind, groupKind, type InBoards, type InColumn, projectKind } from './scope.ts'

/** Projects of a group that are offered. */
const MOST = 100

/** The projects of a group whose issues the caller may plan; undefined for the board of a project. */
export async function projectsForNew({ db, actor, place, project }: Context & InBoards) {
  if (project) return undefined
  const inGroup = sql<boolean>`not projects.archived and projects.namespace_id in (
    select below.id from namespaces below where below.traversal_ids @> array[${place.id}::bigint])`
  return db
    .selectFrom('projects')
    .select(['projects.id', 'projects.name'])
    .where(sql<boolean>`projects.id in (${projectsAllowing(actor, 'admin_issue', inGroup)})`)
    .orderBy('projects.name')
    .orderBy('projects.id')
    .limit(MOST)
    .execute()
}

/** The project of the new issue: that of the board, or one of the group. */
async function projectOf(ctx: Context & InColumn, id: number | undefined): Promise<ProjectWithRole> {
  if (ctx.project) return ctx.project
  if (id === undefined) throw invalid({ project_id: ['must be given'] })
  const project = await findProject(ctx.db, ctx.actor, String(id))
  if (!project.namespace_traversal_ids.includes(ctx.place.id)) throw notFound('Project')
  return project
}

function endpointsOf({ path, noun, inColumn, move, issues }: BoardKind): Readonly<Record<string, Endpoint>> {
  return {
    create: formEndpoint({
      route: `POST ${path}/:board_id/columns/:column/issues`,
      summary: `Open an issue in a column of a board of a ${noun}`,
      scope: inColumn,
      can: move,
      writes: 'own',
      params: {
        title: newIssueParams.title,
        project_id: optional(integer('ID of the project; of a board of a group')),
        back: optional(text('The page to show again', { maxLength: 4_000 })),
      },
      async run(ctx) {
        const project = await projectOf(ctx, ctx.params.project_id)
        if (allows(ctx.actor, 'admin_issue', projectSubject(project)) !== 'yes') throw forbidden()
        if (ctx.column === 'closed') throw invalid({ column: ['has only closed issues'] })
        const { board, column, params } = ctx
        const base = (await issues.run({ ...ctx, params: readAs(ctx, issues, {}) } as never)) as IssueList
        const issue = await createOnBoard(ctx, project, { board, column, base, title: params.title })
        if (ctx.request.headers['x-part'] !== undefined) return part(html``)
        return done(ctx, localPath(ctx.params.back, `${ctx.base}/${ctx.board.id}`), `Issue #${issue.iid} was opened.`)
      },
    }),
  }
}

export const newOnProjectBoard = endpointsOf(projectKind)
export const newOnGroupBoard = endpointsOf(groupKind)
