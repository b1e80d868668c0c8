/** The quick actions that lead to other issues, merge requests and projects. */
import { sql } from 'kysely'
import { linkIssues } from '../../../planning/issues/links/commands.ts'
import { cloneIssue, moveIssue } from '../../../planning/issues/relocation/commands.ts'
import { updateIssue } from '../../../planning/issues/update.ts'
import { labelsById } from '../../../planning/labels/queries.ts'
import { splitAtReferences } from '../../markdown/references.ts'
import { type Action, both, change, type ProjectNoun, type Target } from '../action.ts'
import { issueNamed, mayPlan, mayUpdate, mergeRequestNamed } from '../targets.ts'

/** The issue or the merge request that an argument names, with its project. */
async function thingNamed(target: Target<ProjectNoun>, argument: string) {
  const issue = await issueNamed(target, argument)
  if (issue) return { row: issue.issue, project: issue.project }
  const found = await mergeRequestNamed(target, argument)
  return found && { row: found.mergeRequest, project: found.project }
}

export const relationActions: Readonly<Record<string, Action<ProjectNoun>>> = {
  copy_metadata: {
    on: both,
    may: mayPlan,
    async do(target, argument) {
      const other = await thingNamed(target, argument)
      if (!other) return undefined
      const { row, project } = other
      const labels = [...(await labelsById(target.ctx.db, row.label_ids)).values()]
      // A milestone of another project does not serve here.
      const milestone = project.id === target.place.id && row.milestone_id !== null ? { milestone_id: row.milestone_id } : {}
      return change(
        { add_labels: labels.map(({ name }) => name), ...milestone },
        { add_label_ids: labels.map(({ id }) => id), ...milestone },
      )
    },
  },
}

const issue = ['issue'] as const

export const placeActions: Readonly<Record<string, Action<'issue'>>> = {
  move: {
    on: issue,
    may: target => target.talked !== undefined && mayUpdate(target),
    do: (_target, path) =>
      path === ''
        ? undefined
        : { told: { target_project: path }, after: async (ctx, { project, issue }) => void (await moveIssue(ctx, project, issue, path)) },
  },
  clone: {
    on: issue,
    may: target => target.talked !== undefined && mayPlan(target),
    do({ place }, argument) {
      const path = argument.replace(/\s*--with_notes\s*/, '')
      const withNotes = argument.includes('--with_notes')
      const to = path === '' ? place.full_path : path
      return {
        told: { clone_target_project: to },
        after: async (ctx, { project, issue }) => void (await cloneIssue(ctx, project, issue, to, withNotes)),
      }
    },
  },
  relate: {
    on: issue,
    may: mayPlan,
    async do(target, argument) {
      const named = splitAtReferences(argument).flatMap(piece => (typeof piece === 'object' && piece.kind === 'issue' ? [piece.text] : []))
      const found = (await Promise.all(named.map(text => issueNamed(target, text)))).flatMap(other => (other ? [other] : []))
      if (found.length === 0) return undefined
      return {
        told: { related_issues: found.map(({ issue }) => issue.id) },
        async after(ctx, { issue }) {
          const linked = await ctx.db
            .selectFrom('issue_links')
            .select(sql<number>`source_id + target_id - ${issue.id}::bigint`.as('id'))
            .where(({ or, eb }) => or([eb('source_id', '=', issue.id), eb('target_id', '=', issue.id)]))
            .execute()
          const known = new Set([issue.id, ...linked.map(({ id }) => id)])
          for (const other of found) {
            if (known.has(other.issue.id)) continue
            known.add(other.issue.id)
            await linkIssues(ctx, issue, { target_project_id: String(other.project.id), target_issue_iid: other.issue.iid })
          }
        },
      }
    },
  },
  duplicate: {
    on: issue,
    may: target => target.talked !== undefined && mayUpdate(target),
    async do(target, argument) {
      const other = await issueNamed(target, argument)
      if (!other || other.issue.id === target.talked?.issue.id) return undefined
      return {
        told: { canonical_issue_id: other.issue.id },
        after: async (ctx, { project, issue }) =>
          void (await updateIssue(ctx, project, issue, { state_event: 'close', duplicated_to_id: other.issue.id })),
      }
    },
  },
}
