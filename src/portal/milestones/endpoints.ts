/** All pages of milestones. */
import { groupMilestoneChanges, projectMilestoneChanges, promote } from './changes.ts'
import { milestoneLists } from './lists.ts'
import { milestonePages } from './show.ts'

export const milestones = {
  ...milestoneLists,
  showOfProject: milestonePages.ofProject,
  showOfGroup: milestonePages.ofGroup,
  ...Object.fromEntries(Object.entries(projectMilestoneChanges).map(([name, endpoint]) => [`project_${name}`, endpoint])),
  ...Object.fromEntries(Object.entries(groupMilestoneChanges).map(([name, endpoint]) => [`group_${name}`, endpoint])),
  promote,
}
