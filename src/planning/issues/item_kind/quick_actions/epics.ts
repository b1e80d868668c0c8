/** Quick actions that add an issue to an epic, or promote it to one (decision 38). */

import { type Actions, change } from '../../../../collaboration/quick_actions/action.ts'
import { onPremium } from '../../../../collaboration/quick_actions/targets.ts'
import { planningPlaceOf } from '../../../../spaces/places/places.ts'
import { promoteIssueToEpic } from '../../../epics/issues/commands.ts'
import { epicNamed } from '../../../epics/item_kind/quick_actions/named.ts'
import type { IssueTypes } from './table.ts'

export const epicActions: Actions<IssueTypes> = {
  epic: {
    argument: 'epic',
    may: onPremium,
    async do(target, argument) {
      const found = await epicNamed(target.ctx, target.place.namespace_full_path, argument)
      return found && planningPlaceOf(target.place).above.includes(found.namespace_id) ? change({ epic_id: found.id }) : undefined
    },
  },
  remove_epic: { may: onPremium, do: () => change({ epic_id: null }) },
  promote: {
    // A promoted issue cannot be promoted again.
    may: target => onPremium(target) && !target.noteable?.item.promoted_to_epic_id,
    do: () => ({
      // Contract: the effect shown in document 3 "Note created by the promote quick action".
      reported: { promote_to_epic: true },
      // Contract: refused with 400 for a project outside a group (decision 38).
      after: async (ctx, { project, item }) => void (await promoteIssueToEpic(ctx, project, item)),
    }),
  },
}
