/** What the queued tasks do (platform/events/worker.ts names them and their payloads). */

import { expireProjectArtifacts, removeExpiredArtifacts } from '../ci/artifacts/expiry.ts'
import { startDownstream } from '../ci/downstream/start.ts'
import { startDelayedJob } from '../ci/jobs/transitions/delayed.ts'
import { failStuckJobs } from '../ci/jobs/transitions/watch.ts'
import { failJobs, failJobsOf } from '../ci/pipeline_actions/of_user.ts'
import { cancelRedundantPipelines } from '../ci/pipeline_actions/redundant.ts'
import { processPipeline } from '../ci/pipeline_processing/process.ts'
import { processNotedPipelines, startPipelineWorker } from '../ci/pipeline_processing/worker.ts'
import { startPipeline } from '../ci/pushes/follow.ts'
import { parseLineReport } from '../ci/reports/lines/parse.ts'
import { parseTestReport } from '../ci/reports/test_reports.ts'
import { assignResource } from '../ci/resource_groups/assign.ts'
import { runSchedule, runSchedules } from '../ci/schedules/run.ts'
import { stopSchedulesOf } from '../ci/schedules/stopping.ts'
import { archiveTrace, archiveTraces } from '../ci/traces/archive.ts'
import { countRecentDays, forgetOldDays, RECOUNTED_DAYS } from '../ci/usage/counting.ts'
import { sweepFetches } from '../code/fetches/counts.ts'
import { copyFork } from '../code/forks/copy.ts'
import { tidyRepository, writeHistoryIndex } from '../code/housekeeping/commands.ts'
import { importProject } from '../code/imports/task.ts'
import { dropUnusedLfsObjects } from '../code/lfs/commands.ts'
import { reconcileReferences } from '../code/ref_updates/reconcile.ts'
import { sweepRepositories } from '../code/repository/lifecycle/removal.ts'
import { surveyLanguages, updateStatistics } from '../code/repository/statistics.ts'
import { refreshSnippet, removeDeletedSnippets } from '../collaboration/snippets/repository.ts'
import { cleanUpRepository } from '../delivery/container_registry/cleanup/commands.ts'
import { runCleanupPolicies, runCleanupPolicy } from '../delivery/container_registry/cleanup/policies.ts'
import { collectGarbage } from '../delivery/container_registry/garbage.ts'
import { dropUnread } from '../delivery/container_registry/proxy/cache.ts'
import { stopExpired } from '../delivery/job_deployments/stop.ts'
import { collectEvidence } from '../delivery/releases/evidences/commands.ts'
import { verifyDomain, verifyDomains } from '../delivery/sites/domains/verification.ts'
import { publishSite } from '../delivery/sites/publish.ts'
import { mailExpiring } from '../identity/account_mails/expiring.ts'
import { sendConfirmations } from '../identity/email_confirmations/commands.ts'
import { sweepConfirmations } from '../identity/email_confirmations/links.ts'
import { expiringKeys } from '../identity/keys/expiring.ts'
import { checkDirectories, checkDirectoryPeople } from '../identity/ldap/presence.ts'
import { sweepDeviceGrants } from '../identity/oauth/devices/commands.ts'
import { sweepOAuthTokens } from '../identity/oauth/grants/sweep.ts'
import { sendPasswordReset } from '../identity/password_resets/commands.ts'
import { sweepPasswordResets } from '../identity/password_resets/revocation.ts'
import { sweepAttempts } from '../identity/providers/attempts.ts'
import { sweepAnswers } from '../identity/saml/answers.ts'
import { sendUnlock } from '../identity/sessions/locks/locks.ts'
import { sweepSigningKeys } from '../identity/signing_keys/commands.ts'
import { expireAccountExports } from '../integrations/account_exports/commands.ts'
import { exportAccount } from '../integrations/account_exports/task.ts'
import { turnLimits } from '../integrations/archives/reading/unpack.ts'
import { TURN_BYTES } from '../integrations/archives/turns.ts'
import { migrateEntity } from '../integrations/bulk_imports/working/task.ts'
import { importFromGithub } from '../integrations/github_imports/task.ts'
import { expireGroupExports } from '../integrations/group_archives/commands.ts'
import { exportGroup } from '../integrations/group_archives/exporting/task.ts'
import { importGroupArchive } from '../integrations/group_archives/importing/task.ts'
import { sendToHook, sweepDeliveries } from '../integrations/hooks/deliveries/commands.ts'
import { startMailbox } from '../integrations/incoming_mail/mailbox/mailbox.ts'
import { sweepIncoming } from '../integrations/incoming_mail/taken.ts'
import { sendToIntegration, sweepIntegrationDeliveries } from '../integrations/integration_deliveries/send.ts'
import { pullDueMirrors } from '../integrations/mirrors/pull/commands.ts'
import { pullMirror } from '../integrations/mirrors/pull/update.ts'
import { updateRemoteMirror } from '../integrations/mirrors/push/update.ts'
import { mailDueIssues } from '../integrations/notifications/due.ts'
import { sweepNotified } from '../integrations/notifications/write.ts'
import { expireExports } from '../integrations/project_archives/commands.ts'
import { exportProject } from '../integrations/project_archives/exporting/task.ts'
import { importArchive } from '../integrations/project_archives/importing/task.ts'
import { actingAs } from '../platform/access/credentials/credentials.ts'
import { sweepEntries } from '../platform/events/audit/record.ts'
import type { Worker } from '../platform/events/queue.ts'
import { recordedEvents } from '../platform/events/recorded.ts'
import { startWorker, type Tasks } from '../platform/events/worker.ts'
import type { Deps } from '../platform/kernel/context.ts'
import { queueDigests, sendDigest } from '../platform/mail/digests.ts'
import { sendMail, sweepMails } from '../platform/mail/send.ts'
import { dropUnusedObjects, sweepObjects } from '../platform/object_store/unused.ts'
import { startMergeRequestPipeline } from '../review/merge_request_pipelines/commands.ts'
import { mergeOnRequest } from '../review/merge_requests/merging/auto_merge/after_pipeline.ts'
import { cancelPendingMergesOf } from '../review/merge_requests/merging/auto_merge/auto_merge.ts'
import { checkMergeability, checkTargetBranch, requestChecks } from '../review/merge_requests/merging/mergeability/check.ts'
import { processPush } from '../review/merge_requests/merging/pushed/process.ts'
import { rebaseMergeRequest } from '../review/merge_requests/merging/rebase/rebase.ts'
import { removeMarkedGroups } from '../spaces/groups/lifecycle/deletion.ts'
import { finishGroupRemoval } from '../spaces/groups/lifecycle/removal.ts'
import { removeMarkedProjects } from '../spaces/projects/lifecycle/deletion.ts'
import { expiringTokens } from '../spaces/tokens/expiring.ts'
import { deliver, deliverAgain } from './listeners.ts'
import './ports.ts'

/** The tasks of an instance. */
export const tasksOf = (deps: Deps): Tasks => ({
  async deliver_event({ event_id, listener, quiet }) {
    const events = await recordedEvents(deps.database.db, [event_id])
    if (listener === undefined) await deliver(deps, events, { quiet })
    else for (const event of events) await deliverAgain(deps, event, listener)
  },
  deliver_events: async ({ event_ids, quiet }) => deliver(deps, await recordedEvents(deps.database.db, event_ids), { quiet }),
  reconcile_references: () => reconcileReferences(deps),
  tidy_repository: payload => tidyRepository(deps, payload),
  index_history: payload => writeHistoryIndex(deps, payload),
  copy_fork: payload => copyFork(deps, payload),
  remove_group: payload => finishGroupRemoval(deps, payload),
  import_project: payload => importProject(deps, payload),
  export_project: payload => exportProject(deps, payload, TURN_BYTES),
  import_archive: payload => importArchive(deps, payload, turnLimits),
  import_github: payload => importFromGithub(deps, payload),
  migrate_entity: payload => migrateEntity(deps, payload),
  export_group: payload => exportGroup(deps, payload, TURN_BYTES),
  export_account: payload => exportAccount(deps, payload, TURN_BYTES),
  import_group: payload => importGroupArchive(deps, payload, turnLimits),
  survey_repository: payload => updateStatistics(deps, payload),
  measure_repository: payload => updateStatistics(deps, payload),
  survey_languages: (payload, signal) => surveyLanguages(deps, payload, signal),
  follow_push: payload => processPush(deps, payload),
  merge_as_asked: payload => mergeOnRequest(deps, payload),
  check_mergeability: payload => checkMergeability(deps, payload),
  check_merge_requests: payload => requestChecks(deps, payload),
  check_target_branch: payload => checkTargetBranch(deps, payload),
  rebase_merge_request: payload => rebaseMergeRequest(deps, payload),
  archive_trace: payload => archiveTrace(deps, payload),
  archive_traces: () => archiveTraces(deps),
  process_pipeline: payload => processPipeline(deps, payload),
  process_noted_pipelines: () => processNotedPipelines(deps),
  start_pipeline: payload => startPipeline(deps, payload),
  start_merge_request_pipeline: payload => startMergeRequestPipeline(deps, payload),
  cancel_redundant_pipelines: payload => cancelRedundantPipelines(deps, payload),
  start_downstream: payload => startDownstream(deps, payload),
  fail_lost_jobs: () => failStuckJobs(deps),
  start_delayed_job: payload => startDelayedJob(deps, payload),
  assign_resource: payload => assignResource(deps, payload),
  run_schedules: () => runSchedules(deps),
  run_schedule: payload => runSchedule(deps, payload),
  async drop_work_of_user({ user_id, job_ids = [] }) {
    // Active again meanwhile.
    if (await actingAs(deps.database.db, user_id)) return
    await cancelPendingMergesOf(deps, user_id)
    await stopSchedulesOf(deps.database.db, user_id, deps.now())
    await failJobsOf(deps, user_id)
    await failJobs(deps, job_ids)
  },
  collect_evidence: payload => collectEvidence(deps, payload),
  stop_expired_environments: () => stopExpired(deps),
  parse_test_report: payload => parseTestReport(deps, payload),
  parse_line_report: payload => parseLineReport(deps, payload),
  remove_expired_artifacts: (_payload, signal) => removeExpiredArtifacts(deps, signal),
  expire_project_artifacts: payload => expireProjectArtifacts(deps, payload),
  count_ci_days: (_payload, signal) => countRecentDays(deps, 2, signal),
  async recount_ci_days(_payload, signal) {
    await countRecentDays(deps, RECOUNTED_DAYS, signal)
    await forgetOldDays(deps)
    await sweepFetches(deps)
  },
  remove_marked_groups: () => removeMarkedGroups(deps),
  remove_marked_projects: () => removeMarkedProjects(deps),
  send_mail: payload => sendMail(deps, payload),
  mail_due_issues: (_payload, signal) => mailDueIssues(deps, signal),
  queue_digests: () => queueDigests(deps),
  send_digest: payload => sendDigest(deps, payload),
  async sweep_mails() {
    await sweepMails(deps)
    await sweepNotified(deps)
    await sweepIncoming(deps)
    await sweepPasswordResets(deps)
    await sweepAttempts(deps)
    await sweepAnswers(deps)
    await sweepConfirmations(deps)
  },
  async mail_expiring() {
    await mailExpiring(deps, expiringTokens)
    await mailExpiring(deps, expiringKeys)
  },
  send_password_reset: payload => sendPasswordReset(deps, payload),
  send_confirmation: payload => sendConfirmations(deps, payload),
  send_unlock: payload => sendUnlock(deps, payload),
  check_directories: () => checkDirectories(deps),
  check_directory_people: payload => checkDirectoryPeople(deps, payload),
  send_to_hook: payload => sendToHook(deps, payload),
  push_mirror: payload => updateRemoteMirror(deps, payload),
  pull_mirror: payload => pullMirror(deps, payload),
  pull_due_mirrors: () => pullDueMirrors(deps),
  send_to_integration: payload => sendToIntegration(deps, payload),
  publish_site: payload => publishSite(deps, payload),
  verify_site_domain: payload => verifyDomain(deps, payload),
  verify_site_domains: (_payload, signal) => verifyDomains(deps, signal),
  async sweep_deliveries() {
    await sweepDeliveries(deps)
    await sweepIntegrationDeliveries(deps)
  },
  sweep_audit_events: () => sweepEntries(deps.database.db, deps.now()),
  async sweep_oauth_tokens() {
    await sweepOAuthTokens(deps.database.db, deps.now())
    await sweepDeviceGrants(deps.database.db, deps.now())
    await sweepSigningKeys(deps.database.db, deps.now())
  },
  refresh_snippet: payload => refreshSnippet(deps, payload),
  remove_deleted_snippets: () => removeDeletedSnippets(deps),
  sweep_repositories: () => sweepRepositories(deps),
  async drop_unused_objects() {
    await expireExports(deps)
    await expireGroupExports(deps)
    await expireAccountExports(deps)
    await dropUnusedObjects(deps)
  },
  drop_unused_lfs_objects: () => dropUnusedLfsObjects(deps),
  async collect_container_garbage() {
    await collectGarbage(deps)
    await dropUnread(deps)
  },
  clean_up_container_repository: payload => cleanUpRepository(deps, payload),
  run_cleanup_policies: () => runCleanupPolicies(deps),
  run_cleanup_policy: (payload, signal) => runCleanupPolicy(deps, payload, signal),
  sweep_objects: () => sweepObjects(deps),
})

/** Starts all background work of a process: the queue, the pipelines whose jobs move, and the mailbox. */
export async function startTaskWorker(
  deps: Deps,
  options: Pick<Parameters<typeof startWorker>[0], 'concurrency' | 'schedule'>,
): Promise<Worker> {
  const { database, log } = deps
  const worker = await startWorker({ database, log, tasks: tasksOf(deps), ...options })
  const attendance = startPipelineWorker(deps, options.concurrency)
  const mailbox = startMailbox(deps)
  return {
    stop: async () => {
      await Promise.all([attendance.stop(), mailbox.stop(), worker.stop()])
    },
  }
}
