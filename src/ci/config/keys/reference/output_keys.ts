/** The keys that say what a job leaves behind: artifacts, caches, releases. */
import { reportTypes } from '../outputs.ts'
import { ignored, type Keys, type KeyWords, outcomes, yesOrNo } from './words.ts'

/** Reports that the pages and the API show; the others are kept as files. */
const reportWords: Readonly<Record<string, string>> = {
  junit: 'Results of tests in the format of JUnit, shown in the tab “Tests” and in merge requests.',
  cobertura: 'Coverage by lines in the format of Cobertura, shown in the changes of merge requests.',
  codequality: 'Findings about the code, compared in merge requests.',
  dotenv: 'Lines of `KEY=value`, which become variables of later jobs.',
}

const reports: Keys = Object.fromEntries(
  [...reportTypes].map(type => [
    type,
    {
      says: reportWords[type] ?? `The file of the report \`${type}\`, which is kept with the job.`,
      example: type === 'coverage_report' ? '{coverage_format: cobertura, path: coverage.xml}' : `${type}.out`,
    },
  ]),
)

export const artifacts: KeyWords = {
  says: 'Files that are kept after the job: for later jobs, and to be looked at and downloaded.',
  example: '{paths: [dist/], expire_in: 1 week}',
  keys: {
    paths: { says: 'Files and directories; `*` and `**` match several.', example: '[dist/, "*.log"]' },
    exclude: { says: 'Files among them that are left out.', example: '["dist/**/*.map"]' },
    expire_in: { says: 'How long they are kept; `never` for ever.', example: '1 week' },
    name: { says: 'The name of the archive.', example: '$CI_JOB_NAME' },
    when: { says: 'After which outcome of the job they are kept.', example: 'always', values: outcomes },
    untracked: yesOrNo('Whether files that git does not know are kept too.'),
    expose_as: { says: 'The words of a link in merge requests; `paths` must be without patterns.', example: 'The site' },
    public: yesOrNo('Whether those who may see the project’s pipelines may download them.'),
    reports: { says: 'Results that are read: tests, coverage, variables.', example: '{junit: report.xml}', keys: reports },
  },
}

export const cache: KeyWords = {
  says: 'Files that later runs of jobs begin with, such as downloaded packages. They may be missing: what a later job needs is an artifact. One, or a list.',
  example: '{key: $CI_COMMIT_REF_SLUG, paths: [node_modules/]}',
  keys: {
    key: {
      says: 'Caches of the same key are shared.',
      example: '{files: [package-lock.json]}',
      keys: {
        files: { says: 'One or two files: the key changes when they do.', example: '[package-lock.json]' },
        prefix: { says: 'A beginning of the key.', example: '$CI_JOB_NAME' },
      },
    },
    paths: { says: 'Files and directories.', example: '[node_modules/]' },
    policy: { says: 'Whether the job only reads, only writes, or does both.', example: 'pull', values: ['pull-push', 'pull', 'push'] },
    when: { says: 'After which outcome of the job it is written.', example: 'always', values: outcomes },
    untracked: yesOrNo('Whether files that git does not know are kept too.'),
    unprotect: ignored('Of later versions of the format.', 'true'),
    fallback_keys: ignored('Of later versions of the format.', '[main]'),
  },
}

export const release: KeyWords = {
  says: 'Makes a release after the script has passed; the image must have the release command.',
  example: '{tag_name: v1.0, description: The first one}',
  keys: {
    tag_name: { says: 'The tag; it is made where there is none.', example: '$CI_COMMIT_TAG' },
    tag_message: { says: 'The message of a tag that is made.', example: 'The first one' },
    name: { says: 'The title.', example: 'Version 1.0' },
    description: { says: 'The text in Markdown, or a file with it.', example: './CHANGELOG.md' },
    ref: { says: 'What a tag that is made is of.', example: '$CI_COMMIT_SHA' },
    milestones: { says: 'Titles of milestones.', example: '[v1.0]' },
    released_at: { says: 'When it was or will be released.', example: '"2021-03-15T08:00:00Z"' },
    assets: {
      says: 'What belongs to it.',
      example: '{links: [{name: Manual, url: "https://example.com"}]}',
      keys: {
        links: {
          says: 'Links.',
          example: '[{name: Manual, url: "https://example.com"}]',
          keys: {
            name: { says: 'What stands on the link.', example: 'Manual' },
            url: { says: 'Where it leads.', example: 'https://example.com' },
            filepath: { says: 'A path below the release that leads there.', example: '/manual' },
            link_type: { says: 'What it is.', example: 'package', values: ['other', 'runbook', 'image', 'package'] },
          },
        },
      },
    },
  },
}
