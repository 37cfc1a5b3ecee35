"""Measures of learners: functions on arrays of losses and labels, with online twins."""

from repro.metrics.advice import KappaAdvice, kappa_advice
from repro.metrics.baselines import Baselines, baselines, label_persistence
from repro.metrics.batch_means import batch_means
from repro.metrics.block_errors import (
    block_length,
    block_standard_error,
    default_block,
    ratio_influence,
)
from repro.metrics.calibration import Calibration, calibration
from repro.metrics.class_rates import ClassRates, balanced_accuracy, g_mean, precisions, recalls
from repro.metrics.comparison import not_worse_than_best
from repro.metrics.continual import Continual, continual_report
from repro.metrics.detection import DetectionReport, detection_report
from repro.metrics.estimators import (
    FadingError,
    HoldoutError,
    PrequentialError,
    SlidingError,
    fading_error,
    holdout_error,
    prequential_error,
    sliding_error,
)
from repro.metrics.expectation import ExpectedError, expected_error
from repro.metrics.first_detection import FirstDetection, first_detection
from repro.metrics.kappa import (
    KappaTest,
    kappa,
    kappa_combined,
    kappa_majority,
    kappa_temporal,
    kappa_test,
)
from repro.metrics.kappa_bands import kappa_band, kappa_standard_error
from repro.metrics.kappa_online import Kappa
from repro.metrics.label_dependence import Dependence, label_dependence
from repro.metrics.mcnemar import McNemar, mcnemar
from repro.metrics.memory import (
    alpha_for,
    effective_memory,
    hoeffding_sample_size,
    sum_of_squared_weights,
    window_for,
)
from repro.metrics.probability_losses import brier_loss, log_loss
from repro.metrics.q_statistic import QStatistic, q_standard_error, q_statistic
from repro.metrics.ranking import RankingAreas, pr_auc, roc_auc
from repro.metrics.recovery import Recovery, recovery

__all__ = [
    "Baselines",
    "Calibration",
    "ClassRates",
    "Continual",
    "Dependence",
    "DetectionReport",
    "ExpectedError",
    "FadingError",
    "FirstDetection",
    "HoldoutError",
    "Kappa",
    "KappaAdvice",
    "KappaTest",
    "McNemar",
    "PrequentialError",
    "QStatistic",
    "RankingAreas",
    "Recovery",
    "SlidingError",
    "alpha_for",
    "balanced_accuracy",
    "baselines",
    "batch_means",
    "block_length",
    "block_standard_error",
    "brier_loss",
    "calibration",
    "continual_report",
    "default_block",
    "detection_report",
    "effective_memory",
    "expected_error",
    "fading_error",
    "first_detection",
    "g_mean",
    "hoeffding_sample_size",
    "holdout_error",
    "kappa",
    "kappa_advice",
    "kappa_band",
    "kappa_combined",
    "kappa_majority",
    "kappa_standard_error",
    "kappa_temporal",
    "kappa_test",
    "label_dependence",
    "label_persistence",
    "log_loss",
    "mcnemar",
    "not_worse_than_best",
    "pr_auc",
    "precisions",
    "prequential_error",
    "q_standard_error",
    "q_statistic",
    "ratio_influence",
    "recalls",
    "recovery",
    "roc_auc",
    "sliding_error",
    "sum_of_squared_weights",
    "window_for",
]
