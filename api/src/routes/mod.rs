//! The API on a page.

use utoipa_actix_web::scope;
use utoipa_actix_web::service_config::ServiceConfig;

pub(crate) mod dice;
pub(crate) mod documents;
pub(crate) mod endings;
pub(crate) mod events;
pub(crate) mod games;
pub(crate) mod operations;
pub(crate) mod policies;
pub(crate) mod presence;
pub(crate) mod records;
pub(crate) mod rule_sets;
pub(crate) mod seats;
pub(crate) mod tokens;
pub(crate) mod turns;
pub(crate) mod webhooks;

/// Every operation, by the path it is found at.
pub(crate) fn configure(routes: &mut ServiceConfig<'_>) {
    routes
        // actix tries the routes in this order: the most frequent requests come first.
        .service(scope("/v1/games/{id}").configure(of_a_game))
        // /v1/games
        .service(games::create_game)
        .service(games::list_games)
        .service(records::import_record)
        // /v1/rule-sets
        .service(rule_sets::list_rule_sets)
        .service(rule_sets::publish_rule_set)
        .service(rule_sets::read_rule_set)
        .service(rule_sets::read_rule_set_source)
        .service(rule_sets::list_rule_set_versions)
        .service(rule_sets::draw_rule_set_board)
        .service(rule_sets::check_rule_text)
        .service(rule_sets::read_rule_language_schema)
        // The service itself.
        .service(operations::read_liveness)
        .service(operations::read_readiness)
        .service(operations::read_metrics)
        .service(operations::read_limits)
        .service(operations::list_problem_codes)
        .service(operations::read_problem_code)
        .service(documents::read_openapi);
}

/// The operations of one game. To find the game takes far longer than to compare what follows, so it is done once.
fn of_a_game(routes: &mut ServiceConfig<'_>) {
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
        .service(tokens::renew_owner_token)
        .service(tokens::renew_invitation)
        .service(seats::join_seat)
        .service(seats::leave_seat)
        .service(tokens::renew_seat_token)
        .service(tokens::revoke_seat_token)
        .service(webhooks::create_webhook)
        .service(webhooks::list_webhooks)
        .service(webhooks::delete_webhook)
        .service(webhooks::redeliver_webhook);
}
