//! All operations of the API, with their paths.

use self::register::Register;

pub(crate) mod dice;
pub(crate) mod documents;
pub(crate) mod endings;
pub(crate) mod events;
pub(crate) mod friends;
pub(crate) mod games;
pub(crate) mod group_webhooks;
pub(crate) mod groups;
pub(crate) mod me;
pub(crate) mod operations;
pub(crate) mod player_webhooks;
pub(crate) mod players;
pub(crate) mod policies;
pub(crate) mod presence;
pub(crate) mod records;
pub(crate) mod register;
pub(crate) mod rule_comparisons;
pub(crate) mod rule_sets;
pub(crate) mod scenario_runs;
pub(crate) mod scoring;
pub(crate) mod seats;
pub(crate) mod simulations;
pub(crate) mod table_play;
pub(crate) mod table_webhooks;
pub(crate) mod tables;
pub(crate) mod tickets;
pub(crate) mod tokens;
pub(crate) mod tournament_rounds;
pub(crate) mod tournament_webhooks;
pub(crate) mod tournaments;
pub(crate) mod turns;
pub(crate) mod webhooks;

/// Registers every operation under its path.
pub(crate) fn configure(routes: &mut impl Register) {
    routes
        // actix tries the routes in the order in which they are registered, so the most frequent requests come first.
        .scope("/v1/games/{id}", of_a_game)
        // /v1/games
        .service(games::create_game)
        .service(games::list_games)
        .service(records::import_record)
        // /v1/groups
        .service(groups::create_group)
        .scope("/v1/groups/{id}", of_a_group)
        // /v1/players
        .service(players::create_player)
        .scope("/v1/players/{id}", of_a_player)
        // Competitive play.
        .service(scoring::read_leaderboard)
        .service(scoring::read_bank)
        // /v1/tables
        .service(tables::create_table)
        .service(tables::list_tables)
        .service(tables::quick_play)
        .scope("/v1/tables/{id}", of_a_table)
        // /v1/tournaments
        .service(tournaments::create_tournament)
        .service(tournaments::list_tournaments)
        .scope("/v1/tournaments/{id}", of_a_tournament)
        // /v1/rule-sets
        .service(rule_sets::list_rule_sets)
        .service(rule_sets::publish_rule_set)
        .service(rule_sets::read_rule_set)
        .service(rule_sets::read_rule_set_source)
        .service(rule_sets::list_rule_set_versions)
        .service(rule_sets::draw_rule_set_board)
        .service(rule_sets::read_rule_set_layout)
        .service(rule_sets::check_rule_text)
        .service(rule_sets::read_rule_language_schema)
        .service(rule_comparisons::compare_rules)
        .service(scenario_runs::run_scenarios)
        // /v1/simulations
        .service(simulations::create_simulation)
        .service(simulations::read_simulation)
        .service(simulations::cancel_simulation)
        // The service itself.
        .service(me::read_me)
        .service(operations::read_liveness)
        .service(operations::read_readiness)
        .service(operations::read_metrics)
        .service(operations::read_limits)
        .service(operations::read_sign_in)
        .service(operations::list_problem_codes)
        .service(operations::read_problem_code)
        .service(documents::read_openapi);
}

/// Registers the operations on one game. The common beginning of their paths takes longest to match, so it is matched
/// only once.
fn of_a_game(routes: &mut impl Register) {
    routes
        .service(turns::throw_dice)
        .service(turns::play_actions)
        .service(games::read_game)
        .service(games::draw_game_board)
        .service(games::start_game)
        .service(turns::list_legal_actions)
        .service(turns::try_turn)
        .service(events::list_events)
        .service(presence::read_presence)
        .service(dice::read_dice)
        .service(records::read_record)
        .service(endings::resign_seat)
        .service(endings::agree_to_end)
        .service(endings::abort_game)
        .service(endings::delete_game)
        .service(tickets::create_ticket)
        .service(tokens::renew_owner_token)
        .service(tokens::renew_invitation)
        .service(seats::join_seat)
        .service(seats::leave_seat)
        .service(seats::return_to_seat)
        .service(tokens::renew_seat_token)
        .service(tokens::revoke_seat_token)
        .service(webhooks::create_webhook)
        .service(webhooks::list_webhooks)
        .service(webhooks::delete_webhook)
        .service(webhooks::redeliver_webhook);
}

/// Registers the operations on one group.
fn of_a_group(routes: &mut impl Register) {
    routes
        .service(groups::list_group_events)
        .service(groups::list_group_games)
        .service(groups::read_group)
        .service(groups::create_games)
        .service(groups::complete_group)
        .service(tickets::create_group_ticket)
        .service(groups::renew_group_token)
        .service(groups::renew_group_invitation)
        .service(group_webhooks::create_group_webhook)
        .service(group_webhooks::list_group_webhooks)
        .service(group_webhooks::delete_group_webhook)
        .service(group_webhooks::redeliver_group_webhook);
}

/// Registers the operations on one player.
fn of_a_player(routes: &mut impl Register) {
    routes
        .service(players::list_player_events)
        .service(players::list_player_games)
        .service(tables::list_player_tables)
        .service(scoring::read_player_statistics)
        .service(players::read_player)
        .service(players::change_player)
        .service(players::renew_player_token)
        .service(friends::list_friends)
        .service(friends::ask_friend)
        .service(friends::end_friend)
        .service(friends::block_player)
        .service(friends::unblock_player)
        .service(players::claim_guest)
        .service(players::export_player)
        .service(players::delete_player)
        .service(tickets::create_player_ticket)
        .service(player_webhooks::create_player_webhook)
        .service(player_webhooks::list_player_webhooks)
        .service(player_webhooks::delete_player_webhook)
        .service(player_webhooks::redeliver_player_webhook);
}

/// Registers the operations on one table.
fn of_a_table(routes: &mut impl Register) {
    routes
        .service(tables::list_table_events)
        .service(tables::read_table)
        .service(table_play::read_table_chat)
        .service(table_play::say_at_table)
        .service(table_play::report_chat_line)
        .service(table_play::remove_chat_line)
        .service(table_play::mute_at_table)
        .service(table_play::read_table_options)
        .service(table_play::change_table_options)
        .service(table_play::start_table_game)
        .service(table_play::cast_table_vote)
        .service(table_play::open_table_vote)
        .service(tables::take_table_seat)
        .service(tables::seat_table_robot)
        .service(tables::leave_table_seat)
        .service(tables::watch_table)
        .service(tables::stop_watching_table)
        .service(tables::invite_to_table)
        .service(tables::list_table_invitations)
        .service(tables::end_table_invitation)
        .service(tables::renew_table_link)
        .service(tickets::create_table_ticket)
        .service(table_webhooks::create_table_webhook)
        .service(table_webhooks::list_table_webhooks)
        .service(table_webhooks::delete_table_webhook)
        .service(table_webhooks::redeliver_table_webhook);
}

/// Registers the operations on one tournament.
fn of_a_tournament(routes: &mut impl Register) {
    routes
        .service(tournaments::list_tournament_events)
        .service(tournaments::read_tournament)
        .service(tournament_rounds::read_standings)
        .service(tournament_rounds::export_tournament)
        .service(tournament_rounds::read_round)
        .service(tournament_rounds::pair_round)
        .service(tournament_rounds::enter_result)
        .service(tournaments::enter_tournament)
        .service(tournaments::withdraw_entrant)
        .service(tournaments::return_entrant)
        .service(tournaments::note_absence)
        .service(tournaments::start_tournament)
        .service(tournaments::finish_tournament)
        .service(tickets::create_tournament_ticket)
        .service(tournaments::renew_tournament_token)
        .service(tournaments::renew_arbiter_token)
        .service(tournaments::renew_tournament_invitation)
        .service(tournament_webhooks::create_tournament_webhook)
        .service(tournament_webhooks::list_tournament_webhooks)
        .service(tournament_webhooks::delete_tournament_webhook)
        .service(tournament_webhooks::redeliver_tournament_webhook);
}
