/**
 * What the wings ask of those above them, connected in one place. A port is declared by the wing that uses it
 * (`src/platform/kernel/declaration/port.ts`); here it is given the functions that serve it. Read from top to bottom.
 */
import { jobHooks } from '../ci/jobs/hooks.ts'
import { enqueueEndOfJobsOf } from '../ci/pipeline_actions/of_user.ts'
import { stopSchedulesOf } from '../ci/schedules/stopping.ts'
import { assertForksStayInside, releaseForks } from '../code/forks/commands.ts'
import { dropLostBranchLevels, keepUnprotectLevels } from '../code/protected_branches/lost_levels.ts'
import { dropLostTagLevels } from '../code/protected_tags/lost_levels.ts'
import { refUpdates } from '../code/ref_updates/continuations.ts'
import { alignHead, prepareDefaultBranch } from '../code/repository/lifecycle/default_branch.ts'
import { initializeRepository } from '../code/repository/lifecycle/initialize.ts'
import { sideRepositoryKinds } from '../code/side_repositories/side_repository.ts'
import { itemKinds, noteableKinds } from '../collaboration/item_kinds/item_kind.ts'
import { reassignNotes, removeNotesOf } from '../collaboration/notes/writing/authorship.ts'
import { removeSnippetsOf } from '../collaboration/snippets/commands.ts'
import { snippetRepositories } from '../collaboration/snippets/side.ts'
import { wikiRepositories } from '../collaboration/wikis/repository.ts'
import { isFrozen } from '../delivery/freeze_periods/frozen.ts'
import { environmentOfJob } from '../delivery/job_deployments/environment.ts'
import { followDeployment } from '../delivery/job_deployments/follow.ts'
import { prepareDeployments } from '../delivery/job_deployments/prepare.ts'
import { requireDeployRights } from '../delivery/job_deployments/rights.ts'
import { assertNamesStayOwn } from '../delivery/packages/protocols/npm/names.ts'
import { dropLostDeployLevels, namesSome } from '../delivery/protected_environments/lost_levels.ts'
import { replaceMilestonesOfReleasesIn } from '../delivery/releases/commands.ts'
import { announceSite } from '../delivery/sites/follow.ts'
import { confirmedEmail } from '../identity/emails/confirmed_email.ts'
import { directoryFilters, providedRoles } from '../identity/providers/roles.ts'
import { byHolder } from '../identity/sessions/confirmation.ts'
import { invitedAddress } from '../identity/sign_up/commands.ts'
import { accountRemoval } from '../identity/users/removal/account_removal.ts'
import { personalTokenRevocation } from '../identity/users/removal/provisioned_access.ts'
import { beginPulling } from '../integrations/mirrors/pull/commands.ts'
import { mayStillRead } from '../integrations/notifications/guard.ts'
import { reassignEpics, removeEpicsOf } from '../planning/epics/item_kind/authorship.ts'
import { reassignIssues, removeIssuesOf } from '../planning/issues/item_kind/authorship.ts'
import { leaveFormerGroups } from '../planning/transfers/commands.ts'
import { mailGuard } from '../platform/mail/send.ts'
import { sessionConfirmation } from '../platform/pages/forms/confirm.ts'
import { closeMergeRequestsFrom, closeMergeRequestsOutsideNetwork } from '../review/merge_requests/changes/forks.ts'
import { reassignMergeRequests, removeMergeRequestsOf } from '../review/merge_requests/item_kind/authorship.ts'
import { dropAutoMergesOf } from '../review/merge_requests/merging/auto_merge/auto_merge.ts'
import { mergeContinuation } from '../review/merge_requests/merging/finalize.ts'
import { answerPush } from '../review/merge_requests/merging/pushed/push_options.ts'
import { recordPush } from '../review/merge_requests/merging/pushed/record.ts'
import { rebaseContinuation } from '../review/merge_requests/merging/rebase/rebase_state.ts'
import { removeSpacesOf } from '../spaces/groups/lifecycle/of_account.ts'
import { acceptInvitations } from '../spaces/invitations/accept.ts'
import { invitationByLink } from '../spaces/invitations/queries.ts'
import { filtersOfDirectory } from '../spaces/ldap_links/queries.ts'
import { namedRights } from '../spaces/members/named_rights.ts'
import { syncProvidedRoles } from '../spaces/members/provided.ts'
import { projectLifecycle } from '../spaces/projects/lifecycle/lifecycle.ts'
import { revokePersonalTokensOf } from '../spaces/tokens/commands.ts'
import { allItemKinds, allNoteableKinds } from './item_kinds.ts'

accountRemoval.provide({
  removeSpaces: removeSpacesOf,
  async stopWork(ctx, userId) {
    await dropAutoMergesOf(ctx, userId)
    await stopSchedulesOf(ctx.db, userId, ctx.now)
    await enqueueEndOfJobsOf(ctx.db, userId)
  },
  endRights: ({ db }, userId) => namedRights.value.beforeDeletion(db, { userIds: [userId] }),
  async reassignAuthored(ctx, userId, toId) {
    await reassignNotes(ctx.db, userId, toId)
    await reassignIssues(ctx.db, userId, toId)
    await reassignMergeRequests(ctx.db, userId, toId)
    await reassignEpics(ctx.db, userId, toId)
    await removeSnippetsOf(ctx, userId)
  },
  async removeAuthored(ctx, userId) {
    await removeNotesOf(ctx, userId)
    await removeIssuesOf(ctx, userId)
    await removeMergeRequestsOf(ctx, userId)
    await removeEpicsOf(ctx, userId)
    await removeSnippetsOf(ctx, userId)
  },
})

personalTokenRevocation.provide(revokePersonalTokensOf)

confirmedEmail.provide(acceptInvitations)
invitedAddress.provide(async ({ db, now }, secret) => (await invitationByLink(db, secret, now))?.email)

providedRoles.provide(syncProvidedRoles)
directoryFilters.provide(filtersOfDirectory)

sessionConfirmation.provide(byHolder)

projectLifecycle.provide({
  onCreatedWithReadme: initializeRepository,
  onDefaultBranchChange: prepareDefaultBranch,
  onDefaultBranchChanged: alignHead,
  onMirrorSet: beginPulling,
  onVisibilityNarrowed: releaseForks,
  async onTransferred(ctx, moved, from) {
    await assertNamesStayOwn(ctx.db, moved, from)
    await assertForksStayInside(ctx.db, moved, from)
    const milestones = await leaveFormerGroups(ctx, moved)
    await replaceMilestonesOfReleasesIn(ctx.db, milestones)
    await namedRights.value.dropLost(ctx.db, { place: moved })
  },
  onForkUnlinked: closeMergeRequestsOutsideNetwork,
  onRemoval: closeMergeRequestsFrom,
})

namedRights.provide({
  async dropLost(db, lost) {
    if (lost.userIds && !(await namesSome(db, lost.userIds))) return
    await Promise.all([dropLostBranchLevels(db, lost), dropLostTagLevels(db, lost), dropLostDeployLevels(db, lost)])
  },
  beforeDeletion: keepUnprotectLevels,
})

refUpdates.provide({
  continuations: { merge: mergeContinuation, rebase: rebaseContinuation },
  onMoved: recordPush,
  onPushed: answerPush,
})

jobHooks.provide({
  onCreated: prepareDeployments,
  async onMoved(ctx, job) {
    await announceSite(ctx, job)
    return followDeployment(ctx, job)
  },
  requireRightsToRun: requireDeployRights,
  environmentOf: environmentOfJob,
  isFrozen,
})

sideRepositoryKinds.provide([wikiRepositories, snippetRepositories])

mailGuard.provide(mayStillRead)

itemKinds.provide(allItemKinds)
noteableKinds.provide(allNoteableKinds)
