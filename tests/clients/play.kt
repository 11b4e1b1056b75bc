/** Plays a whole game with the generated Kotlin client: `PlayKt ADDRESS`. Prints the seats by rank. */

import java.util.UUID
import pagade.client.apis.GamesApi
import pagade.client.apis.RuleSetsApi
import pagade.client.apis.TurnsApi
import pagade.client.infrastructure.ApiClient
import pagade.client.infrastructure.ClientException
import pagade.client.models.Awaits
import pagade.client.models.CreateGame
import pagade.client.models.GameChangedEvent
import pagade.client.models.GameOverEvent
import pagade.client.models.GameStatus
import pagade.client.models.JoinSeat
import pagade.client.models.PlayActions

fun key() = UUID.randomUUID().toString()

fun main(arguments: Array<String>) {
    val address = arguments[0]
    val games = GamesApi(address)
    check(RuleSetsApi(address).listRuleSets().ruleSets.any { it.id == "royal-game-of-ur" })
    val created = games.createGame(CreateGame(ruleSet = "royal-game-of-ur", title = "By the Kotlin client"), key())
    val id = created.game.id
    val tokens = created.game.seats.associate { it.seat to games.joinSeat(id, it.seat, joinSeat = JoinSeat(name = "Kotlin, ${it.seat}")).token }
    fun turns(token: String?) = TurnsApi(address).also { ApiClient.accessToken = token }

    ApiClient.accessToken = created.token
    var game = games.startGame(id, body = emptyMap<String, Any>())
    val refused = runCatching { turns(tokens[game.turn]).throwDice(id, "\"0\"") }.exceptionOrNull()
    check(refused is ClientException && refused.statusCode == 412) { "it was not refused: $refused" }

    while (game.status == GameStatus.playing) {
        val player = turns(tokens[game.turn])
        val version = "\"${game.version}\""
        val answer = if (game.awaits == Awaits.`throw`) {
            player.throwDice(id, version, key())
        } else {
            check(player.listLegalActions(id).legal.map { it.action } == game.legal)
            player.playActions(id, version, PlayActions(game.legal.take(1)), key())
        }
        game = answer.game
    }
    val events = games.listEvents(id, limit = 1000)!!.events
    check(events.size.toLong() == game.events)
    check((events.first().actualInstance as GameChangedEvent).id == 1L)
    check((events.last().actualInstance as GameOverEvent).id == game.events)
    for (rank in game.ranking) println("${rank.place} ${rank.seat}")
}
