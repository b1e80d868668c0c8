/** The quick actions about epics: putting an issue into one, taking it out, and making an issue one (decision 38). */
import { promoteIssueToEpic } from '../../epics/issues/commands.ts'
import { type Action, change } from '../action.ts'
import { epicNamed, onPremium } from '../targets.ts'

const issue = ['issue'] as const

export const epicActions: Readonly<Record<string, Action<'issue'>>> = {
  epic: {
    on: issue,
    may: onPremium,
    async do(target, argument) {
      const epic_id = await epicNamed(target, argument)
      return epic_id === undefined ? undefined : change({ epic_id })
    },
  },
  remove_epic: { on: issue, may: onPremium, do: () => change({ epic_id: null }) },
  promote: {
    on: issue,
    may: onPremium,
    do: () => ({
      // Contract: what document 3 "Note created by the promote quick action" shows.
      told: { promote_to_epic: true },
      // Contract: refused with 400 for a project outside a group (decision 38).
      after: async (ctx, { project, issue }) => void (await promoteIssueToEpic(ctx, project, issue)),
    }),
  },
}
