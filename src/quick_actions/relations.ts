/** The quick actions that lead to other issues and projects. */
import { sql } from 'kysely'
import { anyOf } from '../db/any.ts'
import { linkIssues } from '../issues/links/commands.ts'
import { cloneIssue, moveIssue } from '../issues/relocation/commands.ts'
import { updateIssue } from '../issues/update.ts'
import { splitAtReferences } from '../markdown/references.ts'
import type { Action } from './actions.ts'
import { issueNamed, mayPlan, mayUpdate } from './targets.ts'

export const placeActions: Readonly<Record<string, Action>> = {
  move: {
    may: target => target.issue !== undefined && mayUpdate(target),
    do: (_target, path) =>
      path === ''
        ? undefined
        : { told: { target_project: path }, after: async (ctx, project, issue) => void (await moveIssue(ctx, project, issue, path)) },
  },
  clone: {
    may: target => target.issue !== undefined && mayPlan(target),
    do({ project }, argument) {
      const path = argument.replace(/\s*--with_notes\s*/, '')
      const withNotes = argument.includes('--with_notes')
      const to = path === '' ? project.full_path : path
      return {
        told: { clone_target_project: to },
        after: async (ctx, _project, issue) => void (await cloneIssue(ctx, issue, to, withNotes)),
      }
    },
  },
  relate: {
    may: mayPlan,
    async do(target, argument) {
      const named = splitAtReferences(argument).flatMap(piece => (typeof piece === 'object' && piece.kind === 'issue' ? [piece.text] : []))
      const found = (await Promise.all(named.map(text => issueNamed(target, text)))).flatMap(other => (other ? [other] : []))
      if (found.length === 0) return undefined
      return {
        told: { related_issues: found.map(({ issue }) => issue.id) },
        async after(ctx, _project, issue) {
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
    may: target => target.issue !== undefined && mayUpdate(target),
    async do(target, argument) {
      const other = await issueNamed(target, argument)
      if (!other || other.issue.id === target.issue?.id) return undefined
      return {
        told: { canonical_issue_id: other.issue.id },
        after: async (ctx, project, issue) =>
          void (await updateIssue(ctx, project, issue, { state_event: 'close', duplicated_to_id: other.issue.id })),
      }
    },
  },
  copy_metadata: {
    may: mayPlan,
    async do(target, argument) {
      const other = await issueNamed(target, argument)
      if (!other) return undefined
      const labels = await target.ctx.db
        .selectFrom('labels')
        .select(['id', 'name'])
        .where('id', '=', anyOf(other.issue.label_ids))
        .execute()
      const isSamePlace = other.project.id === target.project.id
      return {
        changes: {
          add_labels: labels.map(({ name }) => name),
          // A milestone of another project does not serve here.
          ...(isSamePlace && other.issue.milestone_id !== null ? { milestone_id: other.issue.milestone_id } : {}),
        },
        told: { add_label_ids: labels.map(({ id }) => id), ...(isSamePlace ? { milestone_id: other.issue.milestone_id } : {}) },
      }
    },
  },
}
