// Short names for the types of the public API, which `npm run types` generates from openapi.json.
import type { components } from "./generated";

type Schemas = components["schemas"];
export type Game = Schemas["GameView"];
export type Seat = Schemas["SeatView"];
export type Layout = Schemas["BoardLayout"];
export type Square = Schemas["BoardSquare"];
export type SeatPath = Schemas["SeatPath"];
export type Legal = Schemas["LegalActions"];
export type LegalAction = Schemas["LegalAction"];
export type Attempt = Schemas["AttemptView"];
export type RuleSet = Schemas["RuleSetView"];
export type RuleSetSummary = Schemas["RuleSetSummary"];
export type Option = Schemas["OptionView"];
export type OptionValue = string | number | boolean;
export type Created = Schemas["CreatedGame"];
export type CreateGame = Schemas["CreateGame"];
export type Joined = Schemas["JoinedSeat"];
export type Check = Schemas["CheckAnswer"];
export type RuleProblem = Schemas["RuleProblem"];
export type Problem = Schemas["ProblemBody"];
export type PlayerToken = Schemas["PlayerToken"];
export type FriendList = Schemas["FriendList"];
export type SignInProvider = Schemas["SignInProvider"];
export type PlayerView = Schemas["PlayerView"];
export type PlayerStatistics = Schemas["PlayerStatistics"];
export type Leaderboard = Schemas["Leaderboard"];
export type Presence = Schemas["Presence"];
export type BriefGame = Schemas["BriefGame"];
export type Table = Schemas["TableView"];
export type TableSeat = Schemas["TableSeatView"];
export type TableSummary = Schemas["TableSummary"];
export type TableOption = Schemas["TableOption"];
export type TableInvitation = Schemas["TableInvitation"];
export type ChatLine = Schemas["ChatLineView"];
export type Vote = Schemas["VoteView"];
export type Tournament = Schemas["TournamentView"];
export type TournamentSummary = Schemas["TournamentSummary"];
export type Round = Schemas["RoundView"];
export type Standing = Schemas["StandingView"];
export type DiceProof = Schemas["DiceProof"];
export type GameSummary = Schemas["GameSummary"];
export type CreateSimulation = Partial<Schemas["CreateSimulation"]>;
export type Simulation = Schemas["SimulationView"];
export type SimulationResults = Schemas["SimulationResults"];
export type ScenarioRun = Schemas["ScenarioRun"];
export type RuleComparison = Schemas["RuleComparison"];

/** An event, with the fields of all kinds of events. The value of `event` decides which optional fields are present. */
export interface GameEvent {
  id: number;
  event: string;
  at: string;
  version: number;
  step: number;
  seat?: string;
  pawn?: string;
  from?: string;
  to?: string;
  path?: string[];
  with?: string[];
  by?: string[];
  number?: number;
  throw?: string;
  choice?: string;
  action?: string;
  counter?: string;
  value?: OptionValue;
  mark?: string;
  set?: boolean;
  name?: string;
  reason?: string;
  rule?: string;
  because?: string;
  pawns?: { id: string; place: string }[];
  /** The game after the newest event, in brief. */
  game?: BriefGame;
  next?: { awaits: string; turn?: string; asked?: string; hand: string[]; throw?: string };
}

export interface Turn {
  events: GameEvent[];
  game: Game;
}
