# A day with GitLab::API::v4, unmodified: prints one JSON object of what the library was answered.
use strict;
use warnings;
use GitLab::API::v4;
use JSON::PP;

my ($url, $token) = @ENV{qw(INGOT_URL INGOT_TOKEN)};
my $api = GitLab::API::v4->new(url => "$url/api/v4", private_token => $token);
my %seen;

my $project = $api->create_project({ name => 'By Perl', initialize_with_readme => 'true', visibility => 'private' });
my $id = $project->{id};
$seen{path} = $api->project($project->{path_with_namespace})->{path};
$api->create_file($id, 'docs/a b.md', { branch => 'main', content => "one\n", commit_message => 'Add a file' });
$api->edit_file($id, 'docs/a b.md', { branch => 'main', content => "two\n", commit_message => 'Change a file' });
$seen{raw} = $api->raw_file($id, 'docs/a b.md', { ref => 'main' });
$seen{tree} = [ map { $_->{path} } @{ $api->tree($id, { recursive => 'true' }) } ];
$api->create_branch($id, { branch => 'work', ref => 'main' });
$api->create_file($id, 'b.txt', { branch => 'work', content => "b\n", commit_message => 'Add b' });
$seen{compared} = scalar @{ $api->compare($id, { from => 'main', to => 'work' })->{commits} };

$api->create_label($id, { name => 'bug', color => '#ff0000' });
my $milestone = $api->create_project_milestone($id, { title => 'spring' });
my $issue = $api->create_issue($id, { title => 'A door is open', labels => 'bug', milestone_id => $milestone->{id} });
$api->create_issue_note($id, $issue->{iid}, { body => 'I close it' });
$api->create_issue_award_emoji($id, $issue->{iid}, { name => 'thumbsup' });
$api->set_issue_time_estimate($id, $issue->{iid}, { duration => '3h' });
$api->add_issue_spent_time($id, $issue->{iid}, { duration => '1h' });
$seen{spent} = $api->issue_time_stats($id, $issue->{iid})->{human_total_time_spent};
my $discussion = $api->create_issue_discussion($id, $issue->{iid}, { body => 'Which one?' });
$api->create_issue_discussion_note($id, $issue->{iid}, $discussion->{id}, { body => 'The left one' });
$seen{discussion} = [ map { $_->{body} } @{ $api->issue_discussion($id, $issue->{iid}, $discussion->{id})->{notes} } ];

my $request = $api->create_merge_request($id, { source_branch => 'work', target_branch => 'main', title => 'Add b' });
$seen{changes} = [ map { $_->{new_path} } @{ $api->merge_request_with_changes($id, $request->{iid})->{changes} } ];
my $merged = $api->accept_merge_request($id, $request->{iid}, { should_remove_source_branch => 'true' });
$seen{state} = $merged->{state};

$api->create_project_variable($id, { key => 'KEY', value => 'a value' });
$seen{variable} = $api->project_variable($id, 'KEY')->{value};
$api->create_tag($id, { tag_name => 'v1', ref => 'main', message => 'First' });
$api->create_release($id, { name => 'First', tag_name => 'v1', description => 'The first' });
$api->create_release_link($id, 'v1', { name => 'Page', url => 'https://example.com/first' });
$seen{links} = [ map { $_->{url} } @{ $api->release_links($id, 'v1') } ];
$api->protect_branch($id, { name => 'stable' });
$seen{protected} = [ sort map { $_->{name} } @{ $api->protected_branches($id) } ];
$api->create_wiki_page($id, { title => 'Home', content => 'Welcome' });
$seen{wiki} = $api->wiki_page($id, 'Home')->{content};
$api->create_project_snippet($id, { title => 'Bit', file_name => 'a.pl', content => 'print 7', visibility => 'private' });
$seen{snippets} = [ map { $_->{title} } @{ $api->project_snippets($id) } ];

for my $n (1 .. 25) { $api->create_issue($id, { title => "Issue $n" }) }
my $pages = $api->paginator('issues', $id, { per_page => 10 });
$seen{paged} = scalar @{ $pages->all() };
$seen{missing} = defined $api->issue($id, 9999) ? 'there' : 'undefined';
$seen{version} = $api->version()->{version};
$api->delete_project($id);
print JSON::PP->new->canonical->encode(\%seen);
