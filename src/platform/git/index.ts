/**
 * Git, as the rest of the program uses it: nothing outside of this folder imports past this file, and nothing else starts git. It knows
 * repositories on disk and no project, user or right; callers decide those first.
 *
 * - A `Repository` comes from `RepositoryStorages` (`storage/`), which finds, creates, copies, tidies and measures them.
 * - Objects are read by long-lived `cat-file` processes, many per call (`objects/`); an `ObjectId` is a checked id, and the only thing that is read by.
 * - References are listed and moved by compare-and-swap (`refs/`): `updateRefs` moves all or none, `RefConflict` says which was not as expected.
 * - `commits/`, `diffs/` and `trees/` answer pages and streams, bounded in size: `TooLarge` where the bound is met.
 * - `writing/` makes commits without a working copy: actions, merges, rebases, cherry-picks, suggestions.
 * - `transport/` speaks git's protocol with clients over any pair of streams.
 *
 * Errors: `GitError` for what git refused, with its kind; a kind that the caller caused is a 4xx (kernel/answer/git_refusals.ts).
 */

export { type Descent, descentOf } from './commits/ancestry.ts'
export { type BlamePart, blame } from './commits/blame.ts'
export { type Contributions, contributions, contributors } from './commits/contributions.ts'
export { type Divergence, divergencesFrom, heldBy } from './commits/divergences.ts'
export { lastCommitsOfEntries } from './commits/entries.ts'
export {
  type CommitFilter,
  type CommitStats,
  commitStats,
  countCommits,
  isAncestor,
  lastCommitFor,
  listCommitIds,
  listCommits,
  mergeBase,
} from './commits/history.ts'
export { filesOfCommit, type Held, incomingCommits, incomingFiles, incomingPaths, sizesOf } from './commits/incoming.ts'
export { requireCommits } from './commits/walk.ts'
export { changedPaths } from './diffs/changed-paths.ts'
export type { Diff, DiffEntry } from './diffs/diff-entry.ts'
export {
  type Comparison,
  compare,
  comparisonBase,
  diffBetween,
  diffOfCommit,
  diffPage,
  endsOf,
  streamDiff,
  streamPatch,
  streamPatches,
} from './diffs/diffs.ts'
export { defaultDiffLimits, rawDiffLimits } from './diffs/limits.ts'
export { type DiffLine, type Hunk, hunksOf, lineCode, lineMap, linesOf } from './diffs/lines.ts'
export { type LinePosition, type Traced, tracePositions } from './diffs/positions.ts'
export { type ChangedFile, countChangedLines, formerNameOf, type LineCounts, listChangedFiles, type RawEntry } from './diffs/raw-entries.ts'
export { GitError, TooLarge, tookTooMuch } from './errors.ts'
export { type Commit, inWholeSeconds, type Person, type TagObject, trailersOf } from './objects/commit-object.ts'
export {
  objectInfo,
  readBlob,
  readCommit,
  readCommits,
  readObjects,
  readRefs,
  readTag,
  readTags,
  resolveCommit,
  resolveCommits,
  storedAmong,
  streamBlob,
} from './objects/objects.ts'
export { emptyTreeId, isObjectId, looksLikeObjectId, type ObjectId, zeroId } from './objects/oid.ts'
export { readSigned, type SignedObject } from './objects/signed-object.ts'
export { gitProcesses, historyQuestions, movesWithoutGit } from './process/run.ts'
export { decoderOf, decodeText } from './process/text.ts'
export { gitVersion } from './process/version.ts'
export { deleteRefs, keepAround, keepAroundRef, listMergeRequestHeads, mergeRequestRef, setRef } from './refs/kept.ts'
export { allRefs, listBranches, listTags, mergedBranches, refsContaining, type Tag } from './refs/list.ts'
export type { RefMove } from './refs/loose-refs.ts'
export { releaseLocks } from './refs/loose-refs.ts'
export { hiddenNamespaces, isValidRefName, isValidShortName, pushableNamespaces, readOnlyNamespaces, shortNameOf } from './refs/names.ts'
export { otherSpellings, Spellings } from './refs/spelling.ts'
export { stateOfRefs } from './refs/state.ts'
export { outcomesOf, RefConflict, updateRefs } from './refs/update.ts'
export { type BundleHeader, BundleUnreadable, readBundleHeader, streamBundle, unbundle } from './storage/bundles.ts'
export { indexHistory, needsHistoryIndex } from './storage/commit_graph.ts'
export { copyBranchesAndTags, copyCommits, fetchInto, missingBytes } from './storage/copies.ts'
export { ImmutableCache } from './storage/immutable_cache.ts'
export { housekeeping, isIntact, needsHousekeeping, repositoryStatistics } from './storage/maintenance.ts'
export { addPack, faultsOf, setRefs, streamPack } from './storage/packed_copy.ts'
export { fetchRemote, type Remote, RemoteUnreadable, remoteHead } from './storage/remotes/fetch.ts'
export { pushToRemote, type RemoteMove, remoteRefs } from './storage/remotes/push.ts'
export type { Repository } from './storage/repository.ts'
export { streamSnapshot } from './storage/snapshot.ts'
export {
  defaultBranchOf,
  type KnownOwners,
  openStorage,
  type RepositoryFolder,
  type RepositoryKey,
  type RepositoryStorage,
  repositorySize,
  setDefaultBranch,
} from './storage/storage.ts'
export { RepositoryStorages } from './storage/storages.ts'
export { serveFetchSession } from './transport/fetch-session.ts'
export type { PackLimit } from './transport/pack-limit.ts'
export { flushPkt, pktLine, splitPkts } from './transport/pkt-line.ts'
export type { PushResult } from './transport/push-report.ts'
export { type Inspection, namedTwice, type Push, receivePack } from './transport/receive-pack.ts'
export { client } from './transport/smart-server.ts'
export { uploadArchive } from './transport/upload-archive.ts'
export { advertiseRefs, answerFetch, uploadPack, wantedBy, writeTo } from './transport/upload-pack.ts'
export { archiveFormats, canArchive, streamArchive } from './trees/archive.ts'
export { type FoundPlace, filesContaining } from './trees/grep.ts'
export { pathParts } from './trees/paths.ts'
export { submoduleUrls } from './trees/submodules.ts'
export { entriesAt, entryAt, LINK_MODE, listTree, type TreeRow } from './trees/trees.ts'
export { ActionRefused, commitActions, type FileAction } from './writing/actions.ts'
export {
  type ConflictingMerge,
  type ConflictingPath,
  commitResolved,
  type Resolution,
  readConflicts,
} from './writing/conflicts.ts'
export {
  checkMerge,
  cherryPick,
  commitTree,
  MergeConflict,
  type MergeSides,
  mergeCommit,
  NothingToChange,
  revert,
  writeTag,
} from './writing/merges.ts'
export { commitPatches, type PatchFile, PatchRefused } from './writing/patches.ts'
export { rebaseCommits } from './writing/rebase.ts'
export { commitReplacements, type LineSpan, lineReader, ReplacementRefused, readLines } from './writing/suggestions.ts'
export type { Leaf } from './writing/tree-edit.ts'
