# A day with the gem gitlab, unmodified: prints one JSON object of what the library was answered.
require 'gitlab'
require 'json'
require 'tempfile'

client = Gitlab.client(endpoint: "#{ENV.fetch('INGOT_URL')}/api/v4", private_token: ENV.fetch('INGOT_TOKEN'))
seen = {}

project = client.create_project('By Ruby', initialize_with_readme: true, visibility: 'private')
id = project.id
seen[:path] = client.project(project.path_with_namespace).path
client.create_file(id, 'docs/a b.md', 'main', "one\n", 'Add a file')
client.edit_file(id, 'docs/a b.md', 'main', "two\n", 'Change a file')
seen[:raw] = client.file_contents(id, 'docs/a b.md', 'main')
client.create_commit(id, 'work', 'Add b and c', [{ action: 'create', file_path: 'b.txt', content: "b\n" },
                                                 { action: 'create', file_path: 'c.txt', content: "c\n" }], start_branch: 'main')
seen[:compared] = client.compare(id, 'main', 'work').diffs.length
Tempfile.create(['picture', '.txt']) do |file|
  file.write('a picture')
  file.flush
  seen[:upload] = client.upload_file(id, file.path).markdown.start_with?('[picture')
end

client.create_label(id, 'bug', '#ff0000')
milestone = client.create_milestone(id, 'spring')
issue = client.create_issue(id, 'A door is open', labels: 'bug', milestone_id: milestone.id)
client.create_issue_note(id, issue.iid, 'I close it')
client.estimate_time_of_issue(id, issue.iid, '3h')
client.add_time_spent_on_issue(id, issue.iid, '1h')
seen[:spent] = client.time_stats_for_issue(id, issue.iid).human_total_time_spent
other = client.create_issue(id, 'A window is open')
client.create_issue_link(id, issue.iid, id, other.iid)
seen[:linked] = client.issue_links(id, issue.iid).map(&:title)

request = client.create_merge_request(id, 'Add b and c', source_branch: 'work', target_branch: 'main')
seen[:changes] = client.merge_request_changes(id, request.iid).changes.map { |change| change['new_path'] }
discussion = client.create_merge_request_discussion(id, request.iid, body: 'Why c?')
client.resolve_merge_request_discussion(id, request.iid, discussion.id, resolved: true)
client.approve_merge_request(id, request.iid)
seen[:approved] = client.merge_request_approvals(id, request.iid).approved_by.length
seen[:state] = client.accept_merge_request(id, request.iid).state

client.create_variable(id, 'KEY', 'a value')
seen[:variable] = client.variable(id, 'KEY').value
client.create_tag(id, 'v1', 'main', 'First')
client.create_project_release(id, name: 'First', tag_name: 'v1', description: 'The first')
client.create_project_release_link(id, 'v1', name: 'Page', url: 'https://example.com/first')
seen[:links] = client.project_release_links(id, 'v1').map(&:url)
client.create_wiki(id, 'Home', 'Welcome')
seen[:wiki] = client.wiki(id, 'Home').content
client.create_pipeline_schedule(id, description: 'nightly', ref: 'main', cron: '0 1 * * *')
seen[:schedules] = client.pipeline_schedules(id).map(&:description)
client.change_service(id, 'slack', webhook: 'https://hooks.example.com/slack')
seen[:service] = client.service(id, 'slack').active

25.times { |n| client.create_issue(id, "Issue #{n}") }
seen[:paged] = client.issues(id, per_page: 10).auto_paginate.length
seen[:missing] = begin
  client.issue(id, 9999)
rescue Gitlab::Error::NotFound => error
  error.response_status
end
seen[:version] = client.version.version
client.delete_project(id)
puts JSON.generate(seen.sort.to_h)
