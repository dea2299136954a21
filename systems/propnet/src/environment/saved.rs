//! Copies of environments, and the states of their games as bytes.

use super::engine::{Places, row_bytes, row_fault};
use super::{Autoreset, Buffers, Environment, EnvironmentError, Job, SHARD, WorkerTeam, length};
use std::sync::Arc;

impl Environment {
    /// A copy: the same games, random numbers and settings, with threads of its own.
    ///
    /// # Errors
    /// No threads.
    pub fn try_clone(&self) -> Result<Self, EnvironmentError> {
        Ok(Self {
            schema: Arc::clone(&self.schema),
            shards: self.shards.iter().map(|shard| shard.copied()).collect(),
            team: WorkerTeam::new(self.team.threads())?,
            drawn: self.drawn.clone(),
            games: self.games,
            turns: self.turns,
            rules: self.rules,
            bases: self.bases,
            illegal: self.illegal,
            layout: self.layout,
            seed: self.seed,
            fresh: self.fresh,
            ahead: self.ahead,
            sampled: self.sampled,
        })
    }

    /// The bytes of the saved state of one game.
    #[must_use]
    pub fn state_bytes(&self) -> usize {
        row_bytes(self.bases)
    }

    /// Writes the states of all games: N rows of [`state_bytes`](Self::state_bytes). They are good for every
    /// environment of the same rulesheet. Random numbers are no part of them.
    ///
    /// # Errors
    /// A buffer of the wrong length; no threads.
    pub fn save(&mut self, out: &mut [u8]) -> Result<(), EnvironmentError> {
        let bytes = self.state_bytes();
        length("states", out.len(), self.games * bytes)?;
        let shards = self.shards.iter_mut().zip(out.chunks_mut(SHARD * bytes));
        shards.for_each(|(shard, rows)| shard.save(rows));
        Ok(())
    }

    /// Sets games to saved states: game `lanes[n]` to row n; all games in order without `lanes`. Of a lane that is named
    /// twice the last row counts. Rewards of these games become 0, their flags those of the states.
    ///
    /// # Errors
    /// Lengths that do not fit, lanes that there are not, bytes that are no state. Then no game has changed.
    pub fn load(
        &mut self,
        lanes: Option<&[usize]>,
        rows: &[u8],
        out: &mut Buffers<'_>,
    ) -> Result<(), EnvironmentError> {
        let (bytes, games) = (self.state_bytes(), self.games);
        out.check(games, self.sizes())?;
        let count = lanes.map_or(games, <[usize]>::len);
        length("states", rows.len(), count * bytes)?;
        let running = self.rules.autoreset == Autoreset::SameStep;
        let faults = rows.chunks_exact(bytes).map(|row| row_fault(row, self.bases, running));
        if let Some((row, why)) = faults.enumerate().find_map(|(row, why)| Some((row, why?))) {
            return Err(EnvironmentError::State { row, why });
        }
        let mut row_of = vec![Places::NONE; games];
        for row in 0..count {
            let lane = lanes.map_or(row, |lanes| lanes[row]);
            *row_of.get_mut(lane).ok_or(EnvironmentError::NoLane { lane, games })? = row as u32;
        }
        self.team.renew()?;
        self.forget_drawn();
        self.fresh = false;
        let (team, jobs) = self.jobs(&mut out.reborrow());
        let load = |job: &mut Job<'_>| {
            let lanes = &row_of[job.first..][..job.out.terminated.len()];
            job.shard.load(&Places { row_of: lanes, rows, bytes }, &mut job.out);
        };
        team.run(jobs, &[&load]);
        Ok(())
    }

    /// All that the next draws of [`sample`](Self::sample) depend on, beside the states.
    pub fn random(&mut self) -> Vec<u64> {
        self.forget_drawn();
        self.shards.iter().flat_map(|shard| shard.random()).collect()
    }

    /// Sets the random numbers to those that [`random`](Self::random) gave.
    ///
    /// # Errors
    /// Random numbers of an environment with another number of games.
    pub fn set_random(&mut self, words: &[u64]) -> Result<(), EnvironmentError> {
        let counts: Vec<usize> = self.shards.iter().map(|shard| shard.random().len()).collect();
        if counts.iter().sum::<usize>() != words.len() {
            return Err(EnvironmentError::Random);
        }
        self.forget_drawn();
        self.ahead = false;
        let mut rest = words;
        for (shard, count) in self.shards.iter_mut().zip(counts) {
            let (own, after) = rest.split_at(count);
            rest = after;
            if !shard.set_random(own) {
                return Err(EnvironmentError::Random);
            }
        }
        Ok(())
    }
}
